// Optional. What a consumer has typed before a check exists, so that a reload of the tab does not lose it: sealed here,
// carried by the browser in a cookie that no script can read, for 30 minutes after it was last written. Only the tab
// that typed it gets it back.
//
//   POST {mount}/draft ──▶ cookie ──▶ GET {mount}/current: `meta.draft`      DELETE, or the end of the check ──▶ gone
//
// A cookie and not storage of the page: a page that is being left cannot read an answer any more, but its browser still
// takes the cookie.

import * as z from 'zod/mini'
import { read } from '../../contract/problems.ts'
import { DRAFT_LIFETIME_MS, Draft } from '../../contract/tenant-proxy.ts'
import { tryParseJson } from '../../kit/json-body.ts'
import { guard, readJson } from '../check/browser-request.ts'
import type { Extra } from '../check/extra.ts'
import { tabOf } from '../check/lock.ts'
import { createLimit, type Parts } from '../check/parts.ts'
import type { Answer, BrowserRequest } from '../check/request.ts'
import { SEALED_LENGTH_MAX } from '../check/seal.ts'
import { type CookiePlace, cookiesNamed } from '../check/ticket-cookie.ts'
import type { Settings } from '../settings.ts'

const COOKIE_NAME = 'credit-report-draft'

const Kept = z.object({
  /** A hash, see `lock.ts`. */
  tab: z.string(),
  expiresAtMs: z.number(),
  draft: Draft,
})
type Kept = z.infer<typeof Kept>

/** Two tabs of one form, such as a couple's, do not take each other's place. */
const TABS_MAX = 2

const Sealed = z.object({
  kind: z.literal('draft'),
  format: z.literal(1),
  test: z.boolean(),
  origin: z.string(),
  /** Newest first. */
  drafts: z.array(Kept),
})
type Sealed = z.infer<typeof Sealed>

export function createDrafts(parts: Parts): Extra {
  // Apart from the limit of writes: drafts must not use up what the check needs.
  const limit = createLimit('writesMax', parts.settings)

  async function answer(browserRequest: BrowserRequest): Promise<Answer> {
    const { incoming } = browserRequest
    guard(browserRequest, 'draft', parts, limit)
    if (incoming.method === 'DELETE') return { body: null }
    const draft = await readJson(incoming, Draft)
    return { body: null, cookies: [write(browserRequest, parts, draft)] }
  }

  return {
    routes: [{ path: '/draft', methods: ['POST', 'DELETE'], answer }],
    current: (browserRequest, { status }) => ({ draft: isOver(status) ? null : readDraft(browserRequest, parts) }),
    /** Dropped when the consumer starts again or closes the report, and at the end of a check. */
    cookies({ incoming, place }, answer) {
      const status = 'body' in answer && answer.body && 'status' in answer.body.data ? answer.body.data.status : ''
      if (incoming.method !== 'DELETE' && !isOver(status)) return []
      const hasDrafts = cookiesAt(incoming.headers.get('Cookie') ?? '', place).length > 0
      return hasDrafts ? [write({ incoming, place }, parts)] : []
    },
  }
}

/**
 * This tab's draft here; null for none, and for one that was altered, has expired or is another tab's, mount's or
 * mode's.
 */
function readDraft(written: Written, parts: Parts): Draft | null {
  const tab = tabOf('draft', written.incoming.headers)
  return readDrafts(written, parts).find((kept) => kept.tab === tab)?.draft ?? null
}

function readDrafts({ incoming, place }: Written, { seal, settings }: Parts): Kept[] {
  for (const cookie of cookiesAt(incoming.headers.get('Cookie') ?? '', place)) {
    const opened = seal.open(cookie, contextAt(place, settings))
    const reading = opened === null ? null : read(Sealed, tryParseJson(Buffer.from(opened)))
    if (!reading?.ok) continue
    const { drafts, test, origin } = reading.value
    const isOwn = test === place.test && origin === place.origin
    return isOwn ? drafts.filter(({ expiresAtMs }) => expiresAtMs > settings.clock()) : []
  }
  return []
}

/** The ends after which nothing of it is needed. An expired code is none: the same details are sent again. */
const ENDS = ['complete', 'blocked', 'failed']

function isOver(status: string): boolean {
  return ENDS.includes(status)
}

type Written = Pick<BrowserRequest, 'incoming' | 'place'>

/** Without a draft this tab's is dropped; a request that does not name its tab drops all. */
function write(written: Written, parts: Parts, draft?: Draft): string {
  const { incoming, place } = written
  const tab = tabOf('draft', incoming.headers)
  const others = tab === undefined ? [] : readDrafts(written, parts).filter((kept) => kept.tab !== tab)
  const expiresAtMs = parts.settings.clock() + DRAFT_LIFETIME_MS
  const own = draft && tab !== undefined ? [{ tab, expiresAtMs, draft }] : []
  // If one cookie cannot hold both, the older goes; if it cannot hold this one, only the other stays.
  const choices = [[...own, ...others].slice(0, TABS_MAX), own, others].filter((drafts) => drafts.length > 0)
  const sealed = choices.map((drafts) => seal(drafts, place, parts))
  const value = sealed.find(({ length }) => length <= SEALED_LENGTH_MAX) ?? ''
  return cookieAt(place, value, value ? DRAFT_LIFETIME_MS / 1_000 : 0)
}

function seal(drafts: Kept[], place: CookiePlace, { seal, settings }: Parts): string {
  const { test, origin } = place
  const sealed: Sealed = { kind: 'draft', format: 1, test, origin, drafts }
  return seal.seal(JSON.stringify(sealed), contextAt(place, settings))
}

/** For one tenant and one mount; neither a ticket nor a start opens as a draft. */
function contextAt({ path }: CookiePlace, { tenantId }: Settings): string {
  return JSON.stringify(['draft', tenantId, path])
}

function cookiesAt(header: string, place: CookiePlace): string[] {
  return cookiesNamed(nameAt(place), header)
}

/**
 * Sent to the mount only, unlike the tickets: no other route of the lender needs it, and it may be as long as a cookie
 * can be. That rules out `__Host-`; a sibling host that plants a draft does not know the tab it would have to be for.
 */
function cookieAt(place: CookiePlace, value: string, maxAgeSeconds: number): string {
  const secure = place.isSecure ? '; Secure' : ''
  return `${nameAt(place)}=${value}; Path=${place.path}; HttpOnly; SameSite=Strict${secure}; Max-Age=${maxAgeSeconds}`
}

function nameAt({ isSecure }: CookiePlace): string {
  return isSecure ? `__Secure-${COOKIE_NAME}` : COOKIE_NAME
}
