// The API reference as one HTML page: guides, then operations. Everything a reader needs is in the markup; scripts add
// search, copying and "try it".
import { html } from 'hono/html'
import guidesMarkdown from '../../docs/lender/api.md?raw'
import { listRefusals } from '../../openapi/errors.ts'
import { brand, type Link, type Markup } from '../pages/layout.ts'
import { type Guide, readGuides, slug, words } from './markdown.ts'
import { badge, isForLenders, renderOperation, renderWebhook } from './operation.ts'
import type { ServiceDocument } from './read-document.ts'

type ReferenceOptions = { publicClients: readonly PublicClient[]; links: readonly Link[] }

export function renderPage(document: ServiceDocument, { publicClients, links }: ReferenceOptions): Markup {
  const { info, tags, servers } = document
  const guides = readGuides(guidesMarkdown)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => ({ path, method, operation }))
      .filter(isForLenders),
  )
  const sections = tags
    .map((tag) => ({ ...tag, entries: operations.filter(({ operation }) => operation.tags.includes(tag.name)) }))
    .filter(({ entries }) => entries.length > 0)
  const events = Object.entries(document.webhooks)
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · ${info.title}</title>
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/reference.js"></script>
<script type="module" src="/docs/try-it.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the guides and operations</a>
<header class="top">
  ${brand('#top')}
  <button id="menu" type="button" aria-expanded="false" aria-controls="side" hidden>Menu</button>
  <nav class="places" aria-label="Elsewhere">${[{ href: '/console', name: 'Console' }, ...links].map(({ href, name }) => html`<a href="${href}">${name}</a>`)}</nav>
</header>
<nav class="side" id="side" aria-label="Guides and operations">
  <search class="search" id="search" hidden>
    <label for="search-words">Search</label>
    <input id="search-words" type="search" autocomplete="off" spellcheck="false">
    <p role="status"></p>
  </search>
  <div class="group"><p>Guides</p><ul>${guides.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></div>
  ${sections.map(
    ({ name, entries }) =>
      html`<div class="group"><p>${name}</p><ul>${entries.map(
        ({ method, operation }) =>
          html`<li><a href="#${operation.operationId}">${badge(method)} <span>${operation.summary}</span></a></li>`,
      )}</ul></div>`,
  )}
  <div class="group"><p>Webhook events</p><ul>${events.map(
    ([type, { post }]) => html`<li><a href="#${post.operationId}"><code>${type}</code></a></li>`,
  )}</ul></div>
</nav>
<main id="main" tabindex="-1">
  <div id="top">
    <h1>API reference</h1>
    <p class="lead">${words(info.description)}</p>
    <p class="facts"><span>Version ${info.version}</span> <code>${servers[0]?.url ?? ''}</code> <a href="/openapi.json">openapi.json</a> <a href="/llms.txt">every guide as Markdown</a></p>
  </div>
  ${guides.map((guide) => renderGuide(document, guide))}
  ${renderCaller(publicClients)}
  ${sections.map(
    ({ name, description, entries }) => html`<section class="tag" aria-labelledby="tag-${slug(name)}">
    <h2 id="tag-${slug(name)}">${name}</h2>
    <p>${words(description)}</p>
    ${entries.map((entry) => renderOperation(document, entry))}
  </section>`,
  )}
  <section class="tag" aria-labelledby="tag-events">
    <h2 id="tag-events">Webhook events</h2>
    <p>What the service sends to your server by itself.</p>
    ${events.map(([type, { post }]) => renderWebhook(type, post))}
  </section>
</main>
</body>
</html>`
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
        html`<tr><th scope="row"><code>${code}</code></th><td>${status}</td><td>${words(means)}</td></tr>`,
    )}</tbody></table>`
}

function renderHeaders({ components }: ServiceDocument): Markup {
  return html`<table><thead><tr><th scope="col">Header</th><th scope="col">Means</th></tr></thead>
    <tbody>${Object.entries(components.headers).map(
      ([name, { description }]) =>
        html`<tr><th scope="row"><code>${name}</code></th><td>${words(description)}</td></tr>`,
    )}</tbody></table>`
}

/** A client whose secret is no secret: the demo's. */
export type PublicClient = { id: string; secret: string; credits: number }

/** The credentials that "try it" uses. They stay in the page: nothing keeps them but its inputs. */
function renderCaller(publicClients: readonly PublicClient[]): Markup {
  const [first] = publicClients
  return html`<form class="caller" id="caller" autocomplete="off">
      <h2>Your credentials</h2>
      <p>For the forms below, on this page only; they are forgotten when you leave it. Reports are asked for in test mode: no credits, no text, the code is 123456.</p>
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
      <p role="status">A token is fetched when you send the first request.</p>
    </form>`
}
