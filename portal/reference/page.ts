// The API reference: a page to start from, one of guides and one for each resource. Everything a reader needs is in the
// markup; scripts add search, copying and "try it".
import { html, raw } from 'hono/html'
import guidesMarkdown from '../../docs/lender/api.md?raw'
import { listRefusals } from '../../openapi/errors.ts'
import { brand, type Link, type Markup } from '../pages/layout.ts'
import { type Guide, readGuides, slug, words } from './markdown.ts'
import { badge, callerOf, type Entry, renderEvents, renderOperation } from './operation.ts'
import { readDocument, type ServiceDocument } from './read-document.ts'

export type Reference = { document: ServiceDocument; guides: Guide[]; resources: Resource[] }

/** The operations on one kind of thing; `id` is the end of the page's address. */
type Resource = {
  id: string
  name: string
  description: string
  entries: Entry[]
  /** Those that the service sends by itself, by their type. */
  events: (readonly [type: string, { post: Entry['operation'] }])[]
}

type ReferenceOptions = { publicClients: readonly PublicClient[]; links: readonly Link[] }

/** A client whose secret is no secret: the demo's. */
export type PublicClient = { id: string; secret: string; credits: number }

/** Stands on the page to start from; all others are on that of the guides. */
const FIRST_GUIDE = 'start-to-finish'
/** In the order a developer calls them. */
const FIRST_CALLS = ['createToken', 'generateCreditReport', 'submitOtp']

export function readReference(json: string): Reference {
  const document = readDocument(json)
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const resources = document.tags.map(({ name, description }) => ({
    ...{ id: slug(name), name, description },
    entries: entries.filter((entry) => entry.operation.tags.includes(name) && callerOf(entry) !== null),
    events: Object.entries(document.webhooks).filter(([, { post }]) => post.tags.includes(name)),
  }))
  return {
    document,
    guides: readGuides(guidesMarkdown),
    resources: resources.filter((each) => each.entries.length > 0),
  }
}

export function addressOf(resource: Resource, { operationId }: { operationId: string }): string {
  return `/docs/${resource.id}#${operationId}`
}

/** `name`: the end of its address, empty for the page to start from. Null: there is none of that name. */
export function renderPage(reference: Reference, name: string, options: ReferenceOptions): Markup | null {
  const resource = reference.resources.find(({ id }) => id === name)
  if (name === '') return renderFrame(reference, name, options, renderStart(reference))
  if (name === 'guides') return renderFrame(reference, name, options, renderGuides(reference))
  return resource ? renderFrame(reference, name, options, renderResource(reference, resource, options)) : null
}

function renderFrame(reference: Reference, name: string, { links }: ReferenceOptions, body: Markup): Markup {
  const resource = reference.resources.find(({ id }) => id === name)
  const title = name === 'guides' ? 'Guides' : resource?.name
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title ? `${title} · ` : ''}API reference · ${reference.document.info.title}</title>
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/reference.js"></script>
${resource && hasForms(resource) ? html`<script type="module" src="/docs/try-it.js"></script>` : ''}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
  ${brand('/docs')}
  <button id="menu" type="button" aria-expanded="false" aria-controls="side" hidden>Menu</button>
  <nav class="places" aria-label="Elsewhere">${[{ href: '/console', name: 'Console' }, ...links].map(({ href, name: words }) => html`<a href="${href}">${words}</a>`)}</nav>
</header>
<nav class="side" id="side" aria-label="Guides and operations">
  <search class="search" id="search" hidden>
    <label for="search-words">Search</label>
    <input id="search-words" type="search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/">
    <p role="status"></p>
    <ol id="hits"></ol>
  </search>
  ${renderMenu(reference, name)}
</nav>
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>`
}

/** Every page, and what is on the one that is open. */
function renderMenu({ guides, resources }: Reference, open: string): Markup {
  const page = (name: string, title: string, inside: () => Markup | '') =>
    html`<li><a href="/docs${name && `/${name}`}"${name === open ? html` aria-current="page"` : ''}>${title}</a>${name === open ? inside() : ''}</li>`
  return html`<ul id="pages">
    ${page('', 'Start', () => '')}
    ${page('guides', 'Guides', () => listGuides(guides))}
    ${resources.map((resource) => page(resource.id, resource.name, () => listEntries(resource)))}
  </ul>`
}

/** `isNamed`: its lines have the names that the guides have on their own page. */
function listGuides(guides: readonly Guide[], isNamed = false): Markup {
  return html`<ul>${othersOf(guides).map(
    ({ id, title }) => html`<li${isNamed ? html` id="${id}"` : ''}><a href="/docs/guides#${id}">${title}</a></li>`,
  )}</ul>`
}

function listEntries(resource: Resource, isNamed = false): Markup {
  const line = (operation: Entry['operation'], inside: Markup) =>
    html`<li${isNamed ? html` id="${operation.operationId}"` : ''}><a href="${addressOf(resource, operation)}">${inside}</a></li>`
  return html`<ul>${resource.entries.map(({ method, operation }) =>
    line(operation, html`${badge(method)} <span>${words(operation.summary)}</span>`),
  )}${resource.events.map(([type, { post }]) => line(post, html`<code>${type}</code>`))}</ul>`
}

function othersOf(guides: readonly Guide[]): Guide[] {
  return guides.filter(({ id }) => id !== FIRST_GUIDE)
}

/** Addresses of before there were pages, `/docs#createToken`, lead to a line of its lists, and a script leads on. */
function renderStart(reference: Reference): Markup {
  const { document, guides, resources } = reference
  const { info, servers } = document
  const calls = resources.flatMap((resource) =>
    resource.entries
      .filter(({ operation }) => FIRST_CALLS.includes(operation.operationId))
      .map(({ operation }) => html`<li><a href="${addressOf(resource, operation)}">${operation.summary}</a></li>`),
  )
  return html`<h1>API reference</h1>
  <p class="lead">${words(info.description)}</p>
  <p class="facts"><span>Version ${info.version}</span> <code>${servers[0]?.url ?? ''}</code> <a href="/openapi.json">openapi.json</a> <a href="/llms.txt">every guide as Markdown</a></p>
  ${guides.filter(({ id }) => id === FIRST_GUIDE).map((guide) => renderGuide(document, guide))}
  <ol class="calls">${calls}</ol>
  <div class="index">
    <section><h2><a href="/docs/guides">Guides</a></h2>
      ${listGuides(guides, true)}</section>
    ${resources.map(
      (resource) => html`<section><h2><a href="/docs/${resource.id}">${resource.name}</a></h2>
      <p>${words(resource.description)}</p>
      ${listEntries(resource, true)}</section>`,
    )}
  </div>`
}

function renderGuides({ document, guides }: Reference): Markup {
  return html`<h1>Guides</h1>
  ${othersOf(guides).map((guide) => renderGuide(document, guide))}`
}

function renderGuide(document: ServiceDocument, { id, title, body }: Guide): Markup {
  return html`<section class="guide" id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${body}
    ${id === 'errors' ? renderErrors() : ''}
    ${id === 'headers' ? renderHeaders(document) : ''}
  </section>`
}

/** Every code there is, those too that share a status with another. */
function renderErrors(): Markup {
  return html`<table><thead><tr><th scope="col">Code</th><th scope="col">HTTP</th><th scope="col">Means</th></tr></thead>
    <tbody>${listRefusals().map(
      ({ code, status, means }) =>
        html`<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${words(means)}</td></tr>`,
    )}</tbody></table>`
}

function renderHeaders({ components }: ServiceDocument): Markup {
  return html`<table><thead><tr><th scope="col">Header</th><th scope="col">Means</th></tr></thead>
    <tbody>${Object.entries(components.headers).map(
      ([name, { description }]) =>
        html`<tr id="header-${name}"><th scope="row"><code>${name}</code></th><td>${words(description)}</td></tr>`,
    )}</tbody></table>`
}

function renderResource({ document }: Reference, resource: Resource, { publicClients }: ReferenceOptions): Markup {
  const { name, description, entries, events } = resource
  return html`<h1>${name}</h1>
  <p class="lead">${words(description)}</p>
  ${hasForms(resource) ? renderCaller(publicClients) : ''}
  ${entries.map((entry) => renderOperation(document, entry))}
  ${events.length > 0 ? renderEvents(events) : ''}`
}

function hasForms({ entries }: Resource): boolean {
  return entries.some((entry) => callerOf(entry) === 'client')
}

/** The credentials that "try it" uses. They stay in the page: nothing keeps them but its inputs. */
function renderCaller(publicClients: readonly PublicClient[]): Markup {
  const [first] = publicClients
  return html`<form class="caller" id="caller" autocomplete="off">
      <details${first ? '' : raw(' open')}><summary>Your credentials</summary>
      <p>For “Try it” on this page only; they are forgotten when you leave it. Reports are requested in test mode: no credits, no text, the code is 123456.</p>
      ${
        first
          ? html`<p><label for="caller-public">A client of the demo</label>
      <select id="caller-public">${publicClients.map(({ id, secret, credits }) => html`<option value="${id}" data-secret="${secret}">${id} (began with ${credits.toLocaleString('en-GB')} credits)</option>`)}</select></p>`
          : ''
      }
      <p><label for="caller-id">Client ID</label>
      <input id="caller-id" value="${first?.id ?? ''}" autocomplete="off" spellcheck="false"></p>
      <p><label for="caller-secret">Client secret</label>
      <input id="caller-secret" type="password" value="${first?.secret ?? ''}" autocomplete="off"></p>
      </details>
      <p role="status">A token is fetched when you send the first request.</p>
    </form>`
}
