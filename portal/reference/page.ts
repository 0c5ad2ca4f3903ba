// The API reference as one HTML page. Everything a reader needs is in the markup; the script only adds "try it".
import { html, raw } from 'hono/html'
import { type FieldRow, listFields } from './list-fields.ts'
import type { Answer, Operation, Parameter, ServiceDocument } from './read-document.ts'

export type PageOptions = {
  /** Adds a form to each operation that sends it for a demo tenant. */
  tryIt: boolean
}

type Markup = ReturnType<typeof html>

export function renderPage(document: ServiceDocument, { tryIt }: PageOptions): Markup {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = document.tags.map((tag) => ({
    ...tag,
    entries: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · ${document.info.title}</title>
<link rel="stylesheet" href="/docs/docs.css">
${tryIt ? html`<script type="module" src="/docs/try-it.js"></script>` : ''}
</head>
<body>
<a class="skip" href="#main">Skip to the operations</a>
<nav class="side" aria-label="Operations">
  <p class="brand"><a href="#top">${document.info.title}</a></p>
  ${sections.map(
    ({ name, entries }) => html`<h2>${name}</h2>
  <ul>${entries.map(
    ({ method, operation }) =>
      html`<li><a href="#${operation.operationId}">${badge(method)} <span>${operation.summary}</span></a></li>`,
  )}</ul>`,
  )}
</nav>
<main id="main" tabindex="-1">
  <header id="top">
    <h1>API reference</h1>
    <p class="lead">${words(document.info.description)}</p>
    <p class="facts"><span>Version ${document.info.version}</span> <a href="/openapi.json">openapi.json</a></p>
    ${tryIt ? renderCaller() : ''}
  </header>
  ${sections.map(
    ({ name, description, entries }) => html`<section class="tag" aria-labelledby="tag-${slug(name)}">
    <h2 id="tag-${slug(name)}">${name}</h2>
    <p>${words(description)}</p>
    ${entries.map((entry) => renderOperation(document, entry, tryIt))}
  </section>`,
  )}
</main>
</body>
</html>`
}

/** Who "try it" acts as. The secrets are those every demo is seeded with. */
function renderCaller(): Markup {
  return html`<form class="caller" id="caller">
      <label for="caller-tenant">Try it as</label>
      <select id="caller-tenant">
        <option value="demo-lender:demo-secret">demo-lender (began with 1,000,000 credits)</option>
        <option value="other-lender:other-secret">other-lender (began with 1,000,000 credits)</option>
        <option value="empty-lender:empty-secret">empty-lender (no credits)</option>
      </select>
      <p role="status">A token is fetched when you send the first request.</p>
    </form>`
}

type Entry = { path: string; method: string; operation: Operation }

function renderOperation(document: ServiceDocument, { path, method, operation }: Entry, tryIt: boolean): Markup {
  const [bodyType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const isPublic =
    operation.security?.some((scheme) => Object.keys(scheme).length === 0) || operation.security?.length === 0
  return html`<article class="operation" id="${operation.operationId}">
      <div class="about">
        <h3>${operation.summary} <a class="anchor" href="#${operation.operationId}" aria-label="Link to ${operation.summary}">#</a></h3>
        <p class="address">${badge(method)} <code>${path}</code></p>
        ${operation.description ? html`<p>${words(operation.description)}</p>` : ''}
        <p class="auth">${isPublic ? 'No token needed.' : html`<code>Authorization: Bearer …</code>`}</p>
        ${operation.parameters.length > 0 ? renderParameters(operation.parameters) : ''}
        ${body?.schema ? renderFields('Body', listFields(body.schema), bodyType) : ''}
        ${renderAnswers(document, operation)}
      </div>
      <div class="side-by-side">
        ${tryIt ? renderTryIt(path, method, operation, bodyType, body?.example) : renderExample(body?.example)}
      </div>
    </article>`
}

function renderParameters(parameters: readonly Parameter[]): Markup {
  return renderFields(
    'Parameters',
    parameters.map((parameter) => ({
      path: parameter.name,
      type: parameter.in,
      required: parameter.required ?? false,
      notes: parameter.description ?? '',
    })),
  )
}

function renderFields(title: string, rows: readonly FieldRow[], subtitle = ''): Markup {
  return html`<details open>
          <summary><h4>${title}</h4> <small>${subtitle}</small></summary>
          <table>
            <thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Notes</th></tr></thead>
            <tbody>${rows.map(
              ({ path, type, required, notes }) =>
                html`<tr><th scope="row"><code>${breakable(path)}</code></th><td>${type}</td><td>${required ? html`<b>required</b>${notes ? '; ' : ''}` : ''}${words(notes)}</td></tr>`,
            )}</tbody>
          </table>
        </details>`
}

function renderAnswers(document: ServiceDocument, operation: Operation): Markup {
  return html`<h4>Answers</h4>
        ${Object.entries(operation.responses).map(([status, given]) => renderAnswer(status, resolve(document, given)))}`
}

function renderAnswer(status: string, answer: Answer): Markup {
  const [, media] = Object.entries(answer.content ?? {})[0] ?? []
  const examples = Object.entries(media?.examples ?? (media?.example ? { '': { value: media.example } } : {}))
  const fields = status.startsWith('2') && media?.schema ? listFields(media.schema) : []
  return html`<details class="answer">
          <summary><b class="status status-${status[0] ?? ''}">${status}</b> <span>${words(answer.description ?? '')}</span></summary>
          ${examples.map(
            ([name, { value }]) =>
              html`${name ? html`<h5>${name}</h5>` : ''}<pre tabindex="0"><code>${pretty(value)}</code></pre>`,
          )}
          ${fields.length > 0 ? renderFields('Fields', fields) : ''}
        </details>`
}

function resolve(document: ServiceDocument, answer: Answer): Answer {
  const code = answer.$ref?.split('/').at(-1)
  const shared = code === undefined ? undefined : document.components.responses[code]
  return shared ? { ...shared, description: `\`${code}\`: ${shared.description ?? ''}` } : answer
}

function renderExample(example: unknown): Markup | '' {
  if (example === undefined) return ''
  return html`<h4>Example</h4><pre tabindex="0"><code>${pretty(example)}</code></pre>`
}

const BODY_ROWS_MAX = 16

function renderTryIt(
  path: string,
  method: string,
  operation: Operation,
  bodyType: string | undefined,
  example: unknown,
) {
  const id = operation.operationId
  const isForm = bodyType?.includes('urlencoded') ?? false
  const body = isForm ? 'grant_type=client_credentials' : pretty(example)
  const bodyRows = Math.min(body.split('\n').length + 1, BODY_ROWS_MAX)
  return html`<form class="try" data-method="${method}" data-path="${path}" data-type="${bodyType ?? ''}">
          <h4>Try it</h4>
          ${operation.parameters.map(
            ({
              name,
              in: place,
              required,
            }) => html`<label for="${id}-${name}">${name}${required ? '' : ' (optional)'}</label>
          <input id="${id}-${name}" name="${name}" data-in="${place}" autocomplete="off" spellcheck="false"${required ? raw(' required') : ''}>`,
          )}
          ${
            bodyType
              ? html`<label for="${id}-body">Body</label>
          <textarea id="${id}-body" name="body" rows="${bodyRows}" spellcheck="false">${body}</textarea>`
              : ''
          }
          <button type="submit">Send</button>
          <div class="result" role="status"></div>
        </form>`
}

function badge(method: string): Markup {
  return html`<b class="method method-${method}">${method.toUpperCase()}</b>`
}

/** Long paths may break after a dot, nowhere else. */
function breakable(path: string): Markup[] {
  return path.split('.').map((part, index) => (index === 0 ? html`${part}` : html`<wbr>.${part}`))
}

/** Plain words with `code` in backticks. */
function words(text: string): Markup[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}
