// The widget as a browser loads it: from the lender's own origin, compressed once, cached for as long as its name allows.
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { chooseEncoding, type Encoding } from '../kit/choose-encoding.ts'
import type { Incoming, Outgoing } from './exchange.ts'

export const WIDGET_FILE = 'widget.js'
export const MANIFEST_FILE = 'manifest.json'

const CONTENT_TYPES: { [extension: string]: string } = {
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
}
/** A name with a digest in it never means other bytes. */
const hashedName = /^[\w-]+\.([\w-]{8,})\.js$/
const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATED = 'public, no-cache'

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip), identity: async (bytes: Buffer) => bytes }

type WidgetFile = {
  version: string
  bytes: Buffer
  integrity: string
  encoded: { [encoding in Encoding]?: Promise<Uint8Array<ArrayBuffer>> }
}

export type WidgetFiles = {
  /** The answer for a file; null when there is none of this name. */
  serve(
    name: string,
    asked: Pick<Incoming, 'method' | 'headers'>,
    options: { compress: boolean },
  ): Promise<Outgoing | null>
  /** `sha384-…` of a file as it is served. Throws when there is none. */
  integrity(name: string): string
  /** The text of a file; null when there is none. */
  read(name: string): string | null
}

type WidgetFolders = {
  /** The built widget; null when there is none. */
  current: string | null
  /** Chunks of earlier versions, for pages that were open when this one was deployed. */
  previous: string | null
}

/** Serves folders of built files. A file that changes on disk is read again, so that a rebuild needs no restart. */
export function createWidgetFiles({ current, previous }: WidgetFolders): WidgetFiles {
  const files = new Map<string, WidgetFile>()

  function load(name: string): WidgetFile | null {
    const file = loadFrom(current, name)
    if (file !== null || !hashedName.test(name)) return file
    const older = loadFrom(previous, name)
    // The folder may hold anything; only bytes that belong to their name are passed off as a chunk of the widget.
    return older !== null && isNamedAfter(older, name) ? older : null
  }

  function loadFrom(folder: string | null, name: string): WidgetFile | null {
    const path = folder === null ? null : join(folder, name)
    const stat = path === null ? undefined : statSync(path, { throwIfNoEntry: false })
    if (path === null || !stat?.isFile()) return null
    const version = `${stat.mtimeMs} ${stat.size}`
    const known = files.get(path)
    if (known?.version === version) return known
    const bytes = readFileSync(path)
    const integrity = `sha384-${createHash('sha384').update(bytes).digest('base64')}`
    const file = { version, bytes, integrity, encoded: {} }
    files.set(path, file)
    return file
  }

  return {
    async serve(name, { method, headers }, { compress: mayCompress }) {
      const file = load(name)
      if (file === null) return null
      const encoding = mayCompress ? chooseEncoding(headers.get('Accept-Encoding') ?? '') : 'identity'
      const etag = `"${file.integrity.slice('sha384-'.length, 40).replace(/[+/]/g, '-')}-${encoding}"`
      const caching = {
        'Cache-Control': hashedName.test(name) ? IMMUTABLE : REVALIDATED,
        ETag: etag,
        Vary: 'Accept-Encoding',
      }
      if (matches(headers.get('If-None-Match') ?? '', etag)) return { status: 304, headers: caching, body: null }
      file.encoded[encoding] ??= compress[encoding](file.bytes).then((bytes) => Uint8Array.from(bytes))
      const body = await file.encoded[encoding]
      return {
        status: 200,
        headers: {
          ...caching,
          'Content-Type': CONTENT_TYPES[name.split('.').pop() ?? ''] ?? 'application/octet-stream',
          'Content-Length': String(body.length),
          ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
        },
        body: method === 'HEAD' ? null : body,
      }
    },
    integrity(name) {
      const file = load(name)
      if (file === null) throw new Error(`the built widget has no file ${name}: build it, or set \`widgetFiles\``)
      return file.integrity
    },
    read: (name) => load(name)?.bytes.toString() ?? null,
  }
}

/** The folders in this package; null when it is not built or a bundler has moved this code elsewhere. */
export function findWidgetFolders(): WidgetFolders {
  try {
    const current = dirname(createRequire(import.meta.url).resolve(`credit-report-widget/${WIDGET_FILE}`))
    return { current, previous: join(dirname(current), 'previous') }
  } catch {
    return { current: null, previous: null }
  }
}

/** A chunk's name shows how its digest begins. */
function isNamedAfter({ integrity }: WidgetFile, name: string): boolean {
  const shown = hashedName.exec(name)?.[1] ?? ''
  return integrity.slice('sha384-'.length).replace(/\W/g, '-').startsWith(shown)
}

function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag)
}
