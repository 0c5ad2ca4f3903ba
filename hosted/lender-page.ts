// The look of a lender's page and its return addresses. Checked when they are set: a page that is shown needs no second
// check.
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import type { LenderPageSettings } from '../contract/lender-page.ts'
import { type Problem, read } from '../contract/problems.ts'
import { tryParseJson } from '../kit/json-body.ts'
import type { Queries, Transactions } from '../service/store/database.ts'
import type { PageRow } from './tables.ts'

export type LenderPage = {
  /** Null: the lender's name at the service. */
  name: string | null
  /** `#rrggbb`. */
  accentColour: string | null
  privacyUrl: string | null
  logo: Uint8Array | null
  returnUrls: readonly string[]
}

const EMPTY: LenderPage = { name: null, accentColour: null, privacyUrl: null, logo: null, returnUrls: [] }

export async function readLenderPage(queries: Queries, tenantId: string): Promise<LenderPage> {
  const row = await queries.first<PageRow>('SELECT * FROM hosted_page WHERE tenant_id = ?', tenantId)
  if (row === null) return EMPTY
  const urls = read(z.array(z.string()), tryParseJson(Buffer.from(row.return_urls)))
  const { name, accent: accentColour, privacy_url: privacyUrl, logo } = row
  return { name, accentColour, privacyUrl, logo, returnUrls: urls.ok ? urls.value : [] }
}

/** Changes what is given and leaves the rest as it is. */
export async function changeLenderPage(
  act: Transactions,
  tenantId: string,
  change: Partial<LenderPage>,
): Promise<LenderPage> {
  let before = EMPTY
  let next = EMPTY
  await act.transaction(
    async (queries) => {
      before = await readLenderPage(queries, tenantId)
      next = { ...before, ...change }
      if (isDeepStrictEqual(next, before)) return false
      await queries.run(
        `INSERT INTO hosted_page (tenant_id, name, accent, privacy_url, logo, return_urls) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (tenant_id) DO UPDATE SET name = excluded.name, accent = excluded.accent,
           privacy_url = excluded.privacy_url, logo = excluded.logo, return_urls = excluded.return_urls`,
        tenantId,
        next.name,
        next.accentColour,
        next.privacyUrl,
        next.logo,
        JSON.stringify(next.returnUrls),
      )
      return true
    },
    () => ({ object: tenantId, change: { from: showChanged(before, change), to: showChanged(change, change) } }),
  )
  return next
}

/** Of what was changed, as the audit trail says it. */
function showChanged(page: Partial<LenderPage>, change: Partial<LenderPage>) {
  const { logo, returnUrls = [], ...words } = { ...page }
  const shown = { ...words, returnUrls: returnUrls.join(' '), logo: logo ? `${logo.byteLength} bytes` : null }
  return Object.fromEntries(Object.entries(shown).filter(([field]) => field in change))
}

export function showLenderPage({ name, accentColour, privacyUrl, logo, returnUrls }: LenderPage): LenderPageSettings {
  return {
    ...(name !== null && { name }),
    ...(accentColour !== null && { accentColour }),
    ...(privacyUrl !== null && { privacyUrl }),
    returnUrls: [...returnUrls],
    logo: logo !== null,
  }
}

/**
 * The list in words, where `returnUrl` is none of it; null where it may be used. Compared as browsers read addresses,
 * never as texts.
 */
export function problemOfReturn(returnUrl: string, { returnUrls }: Pick<LenderPage, 'returnUrls'>): Problem | null {
  if (URL.canParse(returnUrl) && returnUrls.some((allowed) => isBelow(new URL(returnUrl), new URL(allowed))))
    return null
  const listed = returnUrls.length === 0 ? 'which is empty' : returnUrls.join(', ')
  return { path: 'returnUrl', expected: `must be an address of the lender’s list, or below one: ${listed}` }
}

function isBelow(url: URL, allowed: URL): boolean {
  const isSame =
    url.protocol === allowed.protocol && url.host === allowed.host && url.username === '' && url.password === ''
  const folder = allowed.pathname.endsWith('/') ? allowed.pathname : `${allowed.pathname}/`
  return isSame && (url.pathname === allowed.pathname || url.pathname.startsWith(folder))
}

const SIDE_PIXELS_MAX = 2_000

/**
 * By its first bytes, whatever it is called; null for anything else, and for a picture whose size would cost a phone
 * its memory.
 */
export function logoType(logo: Uint8Array): 'image/png' | 'image/webp' | null {
  const bytes = Buffer.from(logo)
  const text = (start: number, end: number) => bytes.toString('latin1', start, end)
  if (text(0, 8) === '\x89PNG\r\n\x1a\n' && text(12, 16) === 'IHDR' && bytes.byteLength > 24)
    return fits(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) ? 'image/png' : null
  if (text(0, 4) !== 'RIFF' || text(8, 12) !== 'WEBP' || bytes.byteLength < 30) return null
  const [width, height] = sizeOfWebp(bytes, text(12, 16))
  return fits(width, height) ? 'image/webp' : null
}

const fits = (...sides: number[]) => sides.every((side) => side >= 1 && side <= SIDE_PIXELS_MAX)

/** Of the three kinds there are: lossy, lossless, and extended. */
function sizeOfWebp(bytes: Buffer, kind: string): [width: number, height: number] {
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
  const packed = bytes.readUInt32LE(21)
  return kind === 'VP8L' ? [(packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1] : [0, 0]
}
