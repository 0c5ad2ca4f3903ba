// The widget as a browser loads it: from the lender's own origin, compressed once, cached for as long as its name
// allows.
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, gzip } from 'node:zlib'
import * as z from 'zod/mini'
import { read } from '../contract/problems.ts'
import { chooseEncoding, type Encoding, matchesEtag } from '../kit/headers.ts'
import { tryParseJson } from '../kit/json-body.ts'
import type { Incoming, Outgoing } from './exchange.ts'

export const WIDGET_FILE = 'widget.js'
const MANIFEST_FILE = 'manifest.json'
const Manifest = z.record(z.string(), z.object({ integrity: z.string() }))
const WHOLE_FOLDER = 'set `widgetFiles` to a whole copy of the folder `dist/widget` of the package, or leave it out'

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
  /**
   * The files that a page would miss, with the remedy; null when every file of the manifest is there as it was built.
   */
  findFault(): { message: string; fix: string } | null
}

type WidgetSources = {
  /** The built widget: a folder, or its files as brotli in base64; null when there is none. */
  current: string | { readonly [name: string]: string } | null
  /** A folder with chunks of earlier versions, for pages that were open when this one was deployed. */
  previous: string | null
}

/** Gives a file by its name; null when there is none. */
type Load = (name: string) => WidgetFile | null

export function createWidgetFiles({ current, previous }: WidgetSources): WidgetFiles {
  const loadCurrent = typeof current === 'string' ? loadFrom(current) : loadEmbedded(current ?? {})
  const loadPrevious = previous === null ? () => null : loadFrom(previous)

  function load(name: string): WidgetFile | null {
    const file = loadCurrent(name)
    if (file !== null || !hashedName.test(name)) return file
    const older = loadPrevious(name)
    // The folder may hold anything; only bytes that belong to their name are passed off as a chunk of the widget.
    return older !== null && isNamedAfter(older, name) ? older : null
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
      if (matchesEtag(headers.get('If-None-Match'), etag)) return { status: 304, headers: caching, body: null }
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
    findFault() {
      const manifest = read(Manifest, tryParseJson(load(MANIFEST_FILE)?.bytes ?? Buffer.of()))
      if (!manifest.ok) return { message: `${MANIFEST_FILE} is missing`, fix: WHOLE_FOLDER }
      const names = Object.keys(manifest.value)
      const missing = [WIDGET_FILE, ...names].filter((name) => load(name) === null)
      if (missing.length > 0)
        return { message: `${missing[0]} is missing, one of ${missing.length}`, fix: WHOLE_FOLDER }
      // Other bytes would fail every page that pins `integrity`, and every chunk that the script checks.
      const other = names.find((name) => load(name)?.integrity !== manifest.value[name]?.integrity)
      return other === undefined ? null : { message: `${other} differs from the manifest`, fix: WHOLE_FOLDER }
    },
  }
}

/** A file that changes on disk is read again, so that a rebuild needs no restart. */
function loadFrom(folder: string): Load {
  const known = new Map<string, WidgetFile & { version: string }>()
  return (name) => {
    const path = join(folder, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat?.isFile()) return null
    const version = `${stat.mtimeMs} ${stat.size}`
    const before = known.get(name)
    if (before?.version === version) return before
    const file = { ...describe(readFileSync(path)), version }
    known.set(name, file)
    return file
  }
}

function loadEmbedded(files: { readonly [name: string]: string }): Load {
  const known = new Map<string, WidgetFile>()
  return (name) => {
    const packed = Object.hasOwn(files, name) ? files[name] : undefined
    if (packed === undefined) return null
    const file = known.get(name) ?? unpack(Buffer.from(packed, 'base64'))
    known.set(name, file)
    return file
  }
}

function unpack(brotli: Buffer): WidgetFile {
  return { ...describe(brotliDecompressSync(brotli)), encoded: { br: Promise.resolve(Uint8Array.from(brotli)) } }
}

function describe(bytes: Buffer): WidgetFile {
  return { bytes, integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`, encoded: {} }
}

/** A chunk's name shows how its digest begins. */
function isNamedAfter({ integrity }: WidgetFile, name: string): boolean {
  const shown = hashedName.exec(name)?.[1] ?? ''
  return integrity.slice('sha384-'.length).replace(/\W/g, '-').startsWith(shown)
}
