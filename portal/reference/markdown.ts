// The little Markdown that docs/lender/api.md is written in: sections, paragraphs, lists, tables, fenced code, `code`,
// **bold** and links.
import { html } from 'hono/html'
import type { Markup } from '../pages/layout.ts'

export type Guide = { id: string; title: string; body: Markup[] }

/** One guide for each `##`; text before the first belongs to none. */
export function readGuides(markdown: string): Guide[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n')
      return { id: slug(title), title, body: renderBlocks(lines.join('\n')) }
    })
}

export function slug(title: string): string {
  return title.toLowerCase().replace(/[^a-z]+/g, '-')
}

function renderBlocks(markdown: string): Markup[] {
  // A fence is one block, whatever blank lines it has.
  const blocks = markdown.match(/^```[\s\S]*?^```$|(?:^(?!```).+\n?)+/gm) ?? []
  return blocks.map((block) => renderBlock(block.trimEnd()))
}

function renderBlock(block: string): Markup {
  const lines = block.split('\n')
  if (block.startsWith('```')) return html`<pre tabindex="0"><code>${lines.slice(1, -1).join('\n')}</code></pre>`
  if (block.startsWith('### ')) return html`<h3>${block.slice(4)}</h3>`
  if (block.startsWith('|')) return renderTable(lines)
  if (block.startsWith('- ')) return html`<ul>${listItems(block, /^- /m)}</ul>`
  if (/^\d+\. /.test(block)) return html`<ol>${listItems(block, /^\d+\. /m)}</ol>`
  return html`<p>${words(lines.join(' '))}</p>`
}

function listItems(block: string, mark: RegExp): Markup[] {
  const items = block.split(mark).slice(1)
  return items.map((item) => html`<li>${words(item.trim().replaceAll(/\n\s*/g, ' '))}</li>`)
}

function renderTable([head = '', , ...rows]: string[]): Markup {
  const cells = (line: string) => line.split('|').slice(1, -1)
  return html`<table><thead><tr>${cells(head).map((cell) => html`<th scope="col">${words(cell.trim())}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row).map((cell) => html`<td>${words(cell.trim())}</td>`)}</tr>`)}</tbody></table>`
}

/** Plain words with `code`, **bold** and [links](address). */
export function words(line: string): Markup[] {
  return line.split(/(`[^`]{1,200}`|\*\*[^*]{1,200}\*\*|\[[^\]]{1,200}\]\([^)]{1,200}\))/).map((part) => {
    const link = /^\[(.+)\]\((.+)\)$/.exec(part)
    if (link) return html`<a href="${link[2]}">${link[1]}</a>`
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`
    if (part.startsWith('**')) return html`<b>${part.slice(2, -2)}</b>`
    return html`${part}`
  })
}
