// One operation: what it is for, what goes in, what comes out, how to call it.
import { html, raw } from 'hono/html'
import type { Markup } from '../pages/layout.ts'
import { words } from './markdown.ts'
import type { DocumentAnswer, DocumentOperation, DocumentParameter, Schema, ServiceDocument } from './read-document.ts'
import { type FieldEntry, readFields } from './read-fields.ts'
import { type SampleRequest, writeSamples } from './write-samples.ts'

type Entry = { path: string; method: string; operation: DocumentOperation }

const BODY_ROWS_MAX = 16

/**
 * Its sender: a lender's server, a person who signed in, or a consumer's page. Null: a gateway, an operator, the
 * service's own pages.
 */
type Caller = 'client' | 'person' | 'page' | null

function callerOf({ method, operation }: Entry): Caller {
  const [first, ...others] = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme))
  if (first === 'session') return 'person'
  if ([first, ...others].some((scheme) => scheme === 'token' || scheme === 'clientSecret')) return 'client'
  return operation.tags.includes('Devices') && method === 'get' ? 'page' : null
}

/** True when a lender's developer could call it. */
export function isForLenders(entry: Entry): boolean {
  return callerOf(entry) !== null
}

export function renderOperation(document: ServiceDocument, entry: Entry): Markup {
  const { path, method, operation } = entry
  const { schema } = bodyOf(operation)
  const caller = callerOf(entry)
  const request = requestOf(document, entry)
  const { operationId: id, summary } = operation
  return html`<article class="operation" id="${id}">
      <div class="about">
        <h3>${summary} <a class="anchor" href="#${id}" aria-label="Link to ${summary}">#</a></h3>
        <p class="address">${badge(method)} <code>${path}</code></p>
        ${operation.description ? html`<p>${words(operation.description)}</p>` : ''}
        <p class="auth">${caller === 'client' ? AUTH_WORDS[request.auth] : CALLER_WORDS[caller ?? 'page']}</p>
        ${operation.parameters.length > 0 ? html`<h4>Parameters</h4>${renderFields(operation.parameters.map(fieldOf), true)}` : ''}
        ${schema ? html`<h4>Body</h4>${renderFields(readFields(schema), true)}` : ''}
        <h4>Answers</h4>
        ${renderAnswers(document, operation)}
      </div>
      ${
        caller === 'client'
          ? html`<div class="side-by-side">
        ${renderSamples(operation, request)}
        ${renderTryIt(entry, request, schema)}
      </div>`
          : ''
      }
    </article>`
}

/** The webhooks of the service. */
export function renderWebhook(
  type: string,
  { operationId: id, summary, description, ...operation }: DocumentOperation,
): Markup {
  const { schema } = bodyOf(operation)
  return html`<article class="operation" id="${id}">
      <div class="about">
        <h3>${summary} <a class="anchor" href="#${id}" aria-label="Link to ${summary}">#</a></h3>
        <p class="address">${badge('post')} <code>${type}</code></p>
        ${description ? html`<p>${words(description)}</p>` : ''}
        <h4>Headers</h4>
        ${renderFields(operation.parameters.map(fieldOf), false)}
        <h4>Body</h4>
        ${schema ? renderFields(readFields(schema), true) : ''}
      </div>
      <div class="side-by-side">
        <section class="samples" aria-label="Payload: ${summary}"><pre tabindex="0"><code>${pretty(schema?.examples?.[0])}</code></pre></section>
      </div>
    </article>`
}

export function badge(method: string): Markup {
  return html`<b class="method method-${method}">${method.toUpperCase()}</b>`
}

const AUTH_WORDS: Record<SampleRequest['auth'], Markup> = {
  token: html`<code>Authorization: Bearer …</code>`,
  client: html`<code>Authorization: Basic …</code>, the client ID and its secret.`,
}
const CALLER_WORDS = {
  person: html`The cookie of a person who signed in; an API client gets 403.`,
  page: html`No token: consumers’ browsers load it.`,
}

/** The values that the answer to an operation gives to the samples after it. */
const SETS: { [operationId: string]: SampleRequest['sets'] } = {
  createToken: { token: ['access_token'] },
  generateCreditReport: {
    creditReportId: ['data', 'creditReportId'],
    challengeId: ['data', 'challenge', 'challengeId'],
  },
  addWebhook: { webhookId: ['data', 'id'] },
  testWebhook: { deliveryId: ['data', 'id'] },
  makeLink: { linkId: ['data', 'linkId'] },
}
const SET_BEFORE = Object.values(SETS).flatMap((sets) => Object.keys(sets))

/** The request that the document's own examples make; ids that the service makes are variables. */
function requestOf(document: ServiceDocument, { path, method, operation }: Entry): SampleRequest {
  const schemes = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme))
  const { contentType, example } = bodyOf(operation)
  const filled = operation.parameters.reduce(
    (url, { in: place, name, example: value }) =>
      place === 'path' && !SET_BEFORE.includes(name) && value !== undefined
        ? url.replace(`{${name}}`, encodeURIComponent(String(value)))
        : url,
    path,
  )
  const needed = operation.parameters.filter(({ in: place, required }) => place === 'query' && required)
  const query = new URLSearchParams(needed.map(({ name, example: value }) => [name, String(value)])).toString()
  return {
    method: method.toUpperCase(),
    url: `${document.servers[0]?.url ?? ''}${filled}${query && `?${query}`}`,
    contentType,
    body: contentType?.includes('urlencoded')
      ? writeForm(example)
      : example === undefined
        ? undefined
        : JSON.stringify(example, (key, value) => (key === 'challengeId' ? '{challengeId}' : value), 2),
    auth: schemes.includes('clientSecret') ? 'client' : 'token',
    isAnswered: Object.entries(operation.responses).some(([status, { content }]) => status.startsWith('2') && content),
    sets: SETS[operation.operationId] ?? {},
  }
}

function bodyOf(operation: Pick<DocumentOperation, 'requestBody'>) {
  const [contentType, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value
  return { contentType, schema: media?.schema, example }
}

function writeForm(example: unknown): string {
  if (typeof example !== 'object' || example === null) return ''
  return new URLSearchParams(Object.entries(example).map(([name, value]) => [name, String(value)])).toString()
}

function renderFields(fields: readonly FieldEntry[], isOpen: boolean): Markup {
  return html`<ul class="fields">${fields.map(
    ({ name, type, required, notes, fields: inner }) => html`<li>
          <p><code>${name}</code> <small>${type}</small>${required ? html` <b>required</b>` : ''}</p>
          ${notes ? html`<p class="notes">${words(notes)}</p>` : ''}
          ${inner.length > 0 ? html`<details${isOpen ? raw(' open') : ''}><summary>Fields of <code>${name}</code></summary>${renderFields(inner, false)}</details>` : ''}
        </li>`,
  )}</ul>`
}

function fieldOf({ name, in: place, required, description, example }: DocumentParameter): FieldEntry {
  const shown = example === undefined ? '' : `; for example \`${String(example)}\``
  return {
    name,
    type: place,
    required: required ?? false,
    notes: (description ?? '').replace(/\.$/, '') + shown,
    fields: [],
  }
}

/** Errors are in one fold: most operations share them, and the page is half as long. */
function renderAnswers(document: ServiceDocument, { responses }: DocumentOperation): Markup {
  const render = ([status, given]: [string, DocumentAnswer]) => renderAnswer(status, resolve(document, given))
  const isError = ([status]: [string, DocumentAnswer]) => Number(status) >= 400
  const errors = Object.entries(responses).filter(isError)
  return html`${Object.entries(responses)
    .filter((each) => !isError(each))
    .map(render)}
        ${errors.length === 0 ? '' : html`<details class="answer"><summary><span>Errors: ${errors.map(([status]) => status).join(', ')}</span></summary>${errors.map(render)}</details>`}`
}

function renderAnswer(status: string, answer: DocumentAnswer): Markup {
  const [, media] = Object.entries(answer.content ?? {})[0] ?? []
  const examples = Object.entries(media?.examples ?? (media?.example ? { '': { value: media.example } } : {}))
  const fields = status.startsWith('2') && media?.schema ? readFields(media.schema) : []
  const headers = Object.keys(answer.headers ?? {})
  return html`<details class="answer">
          <summary><b class="status status-${status[0] ?? ''}">${status}</b> <span>${words(answer.description ?? '')}</span></summary>
          ${examples.map(
            ([name, { value }]) =>
              html`${name ? html`<h5>${name}</h5>` : ''}<pre tabindex="0"><code>${pretty(value)}</code></pre>`,
          )}
          ${fields.length > 0 ? html`<h5>Fields</h5>${renderFields(fields, false)}` : ''}
          ${headers.length > 0 ? html`<p class="notes"><a href="#headers">Headers</a>: ${headers.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)}</p>` : ''}
        </details>`
}

function resolve(document: ServiceDocument, answer: DocumentAnswer): DocumentAnswer {
  const code = answer.$ref?.split('/').at(-1)
  const shared = code === undefined ? undefined : document.components.responses[code]
  return shared ? { ...shared, description: `\`${code}\`: ${shared.description ?? ''}` } : answer
}

/** Only one is open at a time: they share a name. */
function renderSamples({ operationId: id, summary }: DocumentOperation, request: SampleRequest): Markup {
  return html`<section class="samples" aria-label="Samples: ${summary}">
          ${Object.entries(writeSamples(request)).map(
            ([
              language,
              code,
            ]) => html`<details name="sample-${id}" data-language="${language}"${language === 'curl' ? raw(' open') : ''}>
            <summary>${language}</summary>
            <pre tabindex="0"><code>${code}</code></pre>
            <button class="copy" type="button" aria-label="Copy the ${language} sample" hidden>Copy</button>
          </details>`,
          )}
        </section>`
}

function renderTryIt({ path, method, operation }: Entry, { contentType, body }: SampleRequest, schema?: Schema) {
  const id = operation.operationId
  const hasTestMode = schema?.properties?.test !== undefined
  const bodyRows = Math.min((body ?? '').split('\n').length + 1, BODY_ROWS_MAX)
  return html`<form class="try" data-method="${method}" data-path="${path}" data-type="${contentType ?? ''}"${hasTestMode ? raw(' data-test') : ''}>
          <h4>Try it${hasTestMode ? ' in test mode' : ''}</h4>
          ${operation.parameters.map(
            ({
              name,
              in: place,
              required,
            }) => html`<label for="${id}-${name}">${name}${required ? '' : ' (optional)'}</label>
          <input id="${id}-${name}" name="${name}" data-in="${place}" autocomplete="off" spellcheck="false"${required ? raw(' required') : ''}>`,
          )}
          ${
            contentType
              ? html`<label for="${id}-body">Body</label>
          <textarea id="${id}-body" name="body" rows="${bodyRows}" spellcheck="false">${body ?? ''}</textarea>`
              : ''
          }
          <button type="submit">Send</button>
          <p class="outcome" role="status"></p>
          <div class="result"></div>
        </form>`
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}
