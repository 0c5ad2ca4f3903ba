// Entries of the reference's search: pages, guides, operations, events, error codes and headers, each with its
// address.
import { listRefusals } from '../../openapi/errors.ts'
import { type Entry, renderAbout } from './operation.ts'
import { addressOf, type Reference } from './page.ts'
import { type FieldEntry, readFields } from './read-fields.ts'

export type SearchEntry = {
  title: string
  /** The page it is on. */
  page: string
  href: string
  /** Method and path, and the fields that a caller sends: they weigh more than other words. */
  names: string[]
  words: string[]
}

export function listEntries({ document, guides, resources }: Reference): SearchEntry[] {
  return [
    ...resources.flatMap((resource) => [
      { title: resource.name, page: '', href: `/docs/${resource.id}`, names: [], words: wordsOf(resource.description) },
      ...resource.entries.map((entry) => ({
        ...{ title: entry.operation.summary, page: resource.name, href: addressOf(resource, entry.operation) },
        names: wordsOf(`${entry.operation.operationId} ${entry.path} ${fieldsOf(entry.operation).join(' ')}`),
        words: wordsOf(String(renderAbout(document, entry))),
      })),
      ...resource.events.map(([type, { post }]) => ({
        ...{ title: type, page: resource.name, href: addressOf(resource, post) },
        ...{ names: [], words: wordsOf(`${post.summary} event webhook`) },
      })),
    ]),
    ...guides.map(({ id, title, body }) => ({
      ...{ title, page: 'Guides', href: id === guides[0]?.id ? `/docs#${id}` : `/docs/guides#${id}` },
      ...{ names: [], words: wordsOf(body.join(' ')) },
    })),
    ...listRefusals().map(({ code, status, means }) => ({
      ...{ title: code, page: 'Error codes', href: `/docs/guides#error-${code}` },
      ...{ names: [String(status)], words: wordsOf(means) },
    })),
    ...Object.entries(document.components.headers).map(([name, { description }]) => ({
      ...{ title: name, page: 'Headers', href: `/docs/guides#header-${name}`, names: [], words: wordsOf(description) },
    })),
  ]
}

/** Names of fields that a caller sends, however deep in the body. */
function fieldsOf({ parameters, requestBody }: Entry['operation']): string[] {
  const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => (schema ? readFields(schema) : []))
  return [...parameters.map(({ name }) => name), ...bodies.flatMap(namesIn)]
}

function namesIn({ name, fields }: FieldEntry): string[] {
  return [name, ...fields.flatMap(namesIn)]
}

/** Each word once, in small letters, without markup. */
function wordsOf(text: string): string[] {
  const plain = text.replace(/<[^<>]{0,300}>|&#?\w{1,8};/g, ' ').toLowerCase()
  return [...new Set(plain.match(/[a-z0-9]+/g))]
}
