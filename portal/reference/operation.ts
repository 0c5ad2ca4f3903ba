// One operation: what it is for, what goes in, what comes out, how to call it.
import { html, raw } from 'hono/html'
import type { Markup } from '../pages/layout.ts'
import { words } from './markdown.ts'
import type { DocumentAnswer, DocumentOperation, DocumentParameter, ServiceDocument } from './read-document.ts'
import { type FieldEntry, readFields } from './read-fields.ts'
import { type SampleRequest, writeSamples } from './write-samples.ts'

export type Entry = { path: string; method: string; operation: DocumentOperation }

const BODY_ROWS_MAX = 16
/** Headers that no one sends by hand. */
const SELDOM_TRIED = ['Idempotency-Ignore', 'Idempotency-Owner']

/**
 * Its sender: a lender's server, a person who signed in, or a consumer's page. Null: a gateway, an operator, the
 * service's own pages, none of which a lender's developer could call.
 */
type Caller = 'client' | 'person' | 'page' | null

export function callerOf({ method, operation }: Entry): Caller {
  const [first, ...others] = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme))
  if (first === 'session') return 'person'
  if ([first, ...others].some((scheme) => scheme === 'token' || scheme === 'clientSecret')) return 'client'
  return operation.tags.includes('Devices') && method === 'get' ? 'page' : null
}

export function renderOperation(document: ServiceDocument, entry: Entry): Markup {
  const request = requestOf(document, entry)
  const { operationId: id, summary } = entry.operation
  return html`<article class="operation" id="${id}">
      <div class="about">
        <h2>${words(summary)} <a class="anchor" href="#${id}" aria-label="Link to ${summary}">#</a></h2>
        ${renderAbout(document, entry, request)}
      </div>
      ${callerOf(entry) === 'client' ? renderSamples(entry, request) : ''}
    </article>`
}

/** Its words and fields. */
export function renderAbout(document: ServiceDocument, entry: Entry, request = requestOf(document, entry)): Markup {
  const { path, method, operation } = entry
  const { schema } = bodyOf(operation)
  const caller = callerOf(entry)
  const { everywhere, own } = splitParameters(operation.parameters)
  return html`<p class="address">${badge(method)} <code>${path}</code></p>
        ${operation.description ? html`<p>${words(operation.description)}</p>` : ''}
        <p class="auth">${caller === 'client' ? AUTH_WORDS[request.auth] : CALLER_WORDS[caller ?? 'page']}${everywhere}</p>
        ${own.length > 0 ? html`<h3>Parameters</h3>${renderFields(own.map(fieldOf))}` : ''}
        ${schema ? html`<h3>Body</h3>${renderFields(readFields(schema))}` : ''}
        <h3>Answers</h3>
        ${renderAnswers(document, operation)}`
}

/** Parameters that the guides describe once for all operations: the lender's id, keys and pages. */
const OF_ALL = new Map([
  ['tenantId', ''],
  ['Idempotency-Key', ' Takes an <a href="/docs/guides#idempotency"><code>Idempotency-Key</code></a>.'],
  ['Idempotency-Ignore', ''],
  ['Idempotency-Owner', ''],
  ['after', ' In <a href="/docs/guides#limits-and-paging">pages</a>: <code>limit</code> and <code>after</code>.'],
  ['limit', ''],
])

function splitParameters(parameters: readonly DocumentParameter[]) {
  const everywhere = parameters.map(({ name }) => raw(OF_ALL.get(name) ?? ''))
  return { everywhere, own: parameters.filter(({ name }) => !OF_ALL.has(name)) }
}

/** The webhooks of the service. What all have in common is said once. */
export function renderEvents(events: readonly (readonly [type: string, { post: DocumentOperation }])[]): Markup {
  const [, first] = events[0] ?? []
  return html`<section class="events" aria-labelledby="events">
    <h2 id="events">Events</h2>
    <p>${words(first?.post.description ?? '')}</p>
    <h3>Headers</h3>
    ${renderFields((first?.post.parameters ?? []).map(fieldOf))}
    ${events.map(([type, { post }]) => renderEvent(type, post))}
  </section>`
}

function renderEvent(type: string, { operationId: id, summary, ...operation }: DocumentOperation): Markup {
  const { schema } = bodyOf(operation)
  const data = schema?.properties?.data
  return html`<article class="operation" id="${id}">
      <div class="about">
        <h3>${summary} <a class="anchor" href="#${id}" aria-label="Link to ${summary}">#</a></h3>
        <p class="address">${badge('post')} <code>${type}</code></p>
        ${data ? html`<details class="fold"><summary>Fields of <code>data</code></summary>${renderFields(readFields(data))}</details>` : ''}
      </div>
      <section class="samples" aria-label="Payload: ${summary}"><details><summary>Payload</summary><pre tabindex="0"><code>${pretty(schema?.examples?.[0])}</code></pre></details></section>
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
  person: html`The cookie of a person who signed in.`,
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

function renderFields(fields: readonly FieldEntry[]): Markup {
  return html`<ul class="fields">${fields.map(
    ({ name, type, required, notes, fields: inner }) => html`<li>
          <p><code>${name}</code> <small>${type}${required ? html` <b>required</b>` : ''}</small>${notes ? html` <span class="notes">${words(notes)}</span>` : ''}</p>
          ${inner.length > 0 ? html`<details><summary>Fields of <code>${name}</code></summary>${renderFields(inner)}</details>` : ''}
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
        ${errors.length === 0 ? '' : html`<details class="answer"><summary><span class="wide">Errors: ${errors.map(([status]) => status).join(', ')}</span></summary>${errors.map(render)}</details>`}`
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
              html`${name ? html`<h4>${name}</h4>` : ''}<pre tabindex="0"><code>${pretty(value)}</code></pre>`,
          )}
          ${fields.length > 0 ? html`<h4>Fields</h4>${renderFields(fields)}` : ''}
          ${headers.length > 0 ? html`<p class="notes"><a href="/docs/guides#headers">Headers</a>: ${headers.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)}</p>` : ''}
        </details>`
}

function resolve(document: ServiceDocument, answer: DocumentAnswer): DocumentAnswer {
  const code = answer.$ref?.split('/').at(-1)
  const shared = code === undefined ? undefined : document.components.responses[code]
  return shared ? { ...shared, description: `\`${code}\`: ${shared.description ?? ''}` } : answer
}

/** Only one of them, or the form, is open at a time: they share a name. */
function renderSamples(entry: Entry, request: SampleRequest): Markup {
  const { operationId: id, summary } = entry.operation
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
          ${renderTryIt(entry, request)}
        </section>`
}

function renderTryIt({ path, method, operation }: Entry, { contentType, body }: SampleRequest): Markup {
  const id = operation.operationId
  const hasTestMode = bodyOf(operation).schema?.properties?.test !== undefined
  const bodyRows = Math.min((body ?? '').split('\n').length + 1, BODY_ROWS_MAX)
  const parameters = operation.parameters.filter(({ name }) => !SELDOM_TRIED.includes(name))
  return html`<details name="sample-${id}">
          <summary>Try it${hasTestMode ? ' in test mode' : ''}</summary>
          <form class="try" data-method="${method}" data-path="${path}" data-type="${contentType ?? ''}"${hasTestMode ? raw(' data-test') : ''}>
          ${parameters.map(
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
          </form>
        </details>`
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}
