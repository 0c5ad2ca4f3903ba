// How a lender's page looks and where it may lead back to. Data, checked when it is set: a page that is shown needs no second look.
import * as z from 'zod/mini'
import { LENDER_NAME_LENGTH_MAX, LOGO_BYTES_MAX, RETURN_URL_LENGTH_MAX, RETURN_URLS_MAX } from '../contract/link.ts'
import { type Problem, read } from '../contract/problems.ts'
import { tryParseJson } from '../kit/json-body.ts'
import type { Queries, Transactions } from '../service/store/database.ts'
import type { PageRow } from './tables.ts'

export type LenderPage = {
  /** Null: the lender's name at the service. */
  name: string | null
  /** `#rrggbb`. */
  accent: string | null
  privacyUrl: string | null
  logo: Uint8Array | null
  returnUrls: readonly string[]
}

const EMPTY: LenderPage = { name: null, accent: null, privacyUrl: null, logo: null, returnUrls: [] }

export async function readLenderPage(queries: Queries, tenantId: string): Promise<LenderPage> {
  const row = await queries.first<PageRow>('SELECT * FROM hosted_page WHERE tenant_id = ?', tenantId)
  if (row === null) return EMPTY
  const urls = read(z.array(z.string()), tryParseJson(Buffer.from(row.return_urls)))
  const { name, accent, logo } = row
  return { name, accent, logo, privacyUrl: row.privacy_url, returnUrls: urls.ok ? urls.value : [] }
}

/** Changes what is given and leaves the rest as it is. */
export function setLenderPage(act: Transactions, tenantId: string, change: Partial<LenderPage>): Promise<void> {
  const { logo, returnUrls, ...words } = change
  const set = {
    ...words,
    ...(logo !== undefined && { logo: logo === null ? null : `${logo.byteLength} bytes` }),
    ...(returnUrls && { returnUrls: returnUrls.join(' ') }),
  }
  let from: LenderPage = EMPTY
  return act.transaction(
    async (queries) => {
      from = await readLenderPage(queries, tenantId)
      const next = { ...from, ...change }
      await queries.run(
        `INSERT INTO hosted_page (tenant_id, name, accent, privacy_url, logo, return_urls) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (tenant_id) DO UPDATE SET name = excluded.name, accent = excluded.accent,
           privacy_url = excluded.privacy_url, logo = excluded.logo, return_urls = excluded.return_urls`,
        tenantId,
        next.name,
        next.accent,
        next.privacyUrl,
        next.logo,
        JSON.stringify(next.returnUrls),
      )
    },
    () => ({ object: tenantId, change: { from: null, to: set } }),
  )
}

/** What is wrong with a change, by field; nothing when all is well. */
export function problemsOfPage(change: Partial<LenderPage>, { httpsOnly }: { httpsOnly: boolean }): Problem[] {
  const { name, accent, privacyUrl, logo, returnUrls = [] } = change
  const found: (Problem | false | null | undefined | '')[] = [
    name &&
      name.length > LENDER_NAME_LENGTH_MAX && {
        path: 'name',
        expected: `must have at most ${LENDER_NAME_LENGTH_MAX} characters`,
      },
    accent && problemOfColour(accent),
    privacyUrl && problemOfUrl('privacyUrl', privacyUrl, httpsOnly),
    logo && problemOfLogo(logo),
    returnUrls.length > RETURN_URLS_MAX && {
      path: 'returnUrls',
      expected: `must be at most ${RETURN_URLS_MAX} addresses`,
    },
    ...returnUrls.map((url, index) => problemOfUrl(`returnUrls[${index}]`, url, httpsOnly)),
  ]
  return found.flatMap((problem) => problem || [])
}

/** An app's own scheme leads back into it. What could run or show anything here does not. */
const NEVER = ['javascript:', 'data:', 'blob:', 'file:', 'about:', 'vbscript:', 'view-source:']

function problemOfUrl(path: string, url: string, httpsOnly: boolean): Problem | null {
  if (url.length > RETURN_URL_LENGTH_MAX)
    return { path, expected: `must have at most ${RETURN_URL_LENGTH_MAX} characters` }
  if (!URL.canParse(url)) return { path, expected: 'must be an address such as https://shop.example/checks' }
  const { protocol, username, password, hash, search } = new URL(url)
  const isPlain = username === '' && password === '' && hash === '' && search === ''
  if (!isPlain) return { path, expected: 'must have no user name, password, ? or #' }
  if (NEVER.includes(protocol) || (httpsOnly && protocol === 'http:'))
    return { path, expected: 'must begin with https:// or the scheme of an app' }
  return null
}

/** The list in words, where `returnUrl` is none of it; null where it may be used. Compared as browsers read addresses, never as texts. */
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

const CONTRAST_MIN = 4.5
const COLOUR = /^#[0-9a-f]{6}$/

/** Buttons have white words on the colour, on a white page. */
function problemOfColour(accent: string): Problem | null {
  const path = 'accentColour'
  if (!COLOUR.test(accent)) return { path, expected: 'must be a colour such as #0b5cad' }
  const contrast = 1.05 / (luminanceOf(accent) + 0.05)
  if (contrast >= CONTRAST_MIN) return null
  const found = (Math.floor(contrast * 10) / 10).toFixed(1)
  return { path, expected: `must be darker: its contrast with white is ${found}, and ${CONTRAST_MIN} is needed` }
}

/** As WCAG 2.2 defines it. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const PICTURE = 'must be a PNG or WebP picture'

function problemOfLogo(logo: Uint8Array): Problem | null {
  if (logo.byteLength > LOGO_BYTES_MAX) return { path: 'logo', expected: `must have at most ${LOGO_BYTES_MAX} bytes` }
  return logoType(logo) === null ? { path: 'logo', expected: PICTURE } : null
}

/** By its first bytes, whatever it is called; null for anything else. */
export function logoType(logo: Uint8Array): 'image/png' | 'image/webp' | null {
  const bytes = Buffer.from(logo)
  const text = (start: number, end: number) => bytes.toString('latin1', start, end)
  if (text(0, 8) === '\x89PNG\r\n\x1a\n' && text(12, 16) === 'IHDR') return 'image/png'
  return text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP' && /^VP8[ LX]$/.test(text(12, 16)) ? 'image/webp' : null
}
