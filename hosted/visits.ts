// A browser's visits to links, kept here: the browser carries nothing but the id of its session in one short cookie.
// The cookies of the proxy stay in this process's database, as sealed as the proxy made them.
import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { read } from '../contract/problems.ts'
import { type Clock, DAY_MS } from '../kit/clock.ts'
import { tryParseJson } from '../kit/json-body.ts'
import { keyedIndex } from '../kit/keys.ts'
import type { Database } from '../service/store/database.ts'
import { DELETE_ROWS_MAX } from '../service/store/sweep-rows.ts'
import { MOUNT } from './lender-proxy.ts'
import { hashOf } from './links.ts'
import type { HostedKeys, VisitRow } from './tables.ts'

const SESSION_SECONDS = 86_400
const SESSION_BYTES = 16
const SESSION = /^[\w-]{22}$/
/** Browsers that one link is opened in. */
const VISITS_MAX = 20
const COOKIES_MAX = 8
/** The proxy's cookie of checks; the others are about what one browser has typed and seen. */
const TICKETS = `__Host-credit-report${MOUNT.replace('/', '.')}`

const Jar = z.record(z.string(), z.string())
type Jar = z.infer<typeof Jar>

export type Visit = {
  session: string
  /** The check that this browser began, or gave the right date of birth for. */
  reportId: string | null
  /** It came by the QR code of another browser's page. */
  isHanded: boolean
  jar: Jar
}
export type Visits = ReturnType<typeof createVisits>

type VisitOptions = { database: Database; clock: Clock; keys: HostedKeys; secure: boolean }

export function createVisits({ database, clock, keys, secure }: VisitOptions) {
  const cookieName = secure ? '__Host-hosted' : 'hosted'

  function sessionOf(request: Request): string | null {
    const pairs = (request.headers.get('Cookie') ?? '').split(/; */).map((pair) => pair.split('='))
    const values = pairs.filter(([name]) => name === cookieName).map(([, value = '']) => value)
    const [session] = values.filter((value) => SESSION.test(value))
    return session ?? null
  }

  const list = (linkId: string) =>
    database.all<VisitRow>('SELECT * FROM hosted_visit WHERE link_id = ? ORDER BY seen_at_ms', linkId)

  return {
    sessionOf,

    newSession: () => randomBytes(SESSION_BYTES).toString('base64url'),

    cookie: (session: string) =>
      `${cookieName}=${session}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}; Max-Age=${SESSION_SECONDS}`,

    /**
     * This browser's visit to the link, and a flag when other browsers that did not come by its QR code have opened it.
     */
    async find(session: string | null, linkId: string): Promise<{ visit: Visit | null; isElsewhere: boolean }> {
      const rows = await list(linkId)
      const hash = session === null ? null : hashOf(session)
      const own = rows.find((row) => row.session_hash === hash)
      const isElsewhere = own?.is_handed !== 1 && rows.some((row) => row.session_hash !== hash && row.is_handed === 0)
      return { visit: session === null || !own ? null : toVisit(session, own), isElsewhere }
    },

    /**
     * Keeps what is new of the visit, and each cookie by its name: of two tabs that answer at once, neither loses what
     * the other got. False when too many browsers have opened the link.
     */
    keep(linkId: string, visit: Visit, setCookies: readonly string[] = []): Promise<boolean> {
      const hash = hashOf(visit.session)
      return database.transaction(async (queries) => {
        const rows = await queries.all<VisitRow>('SELECT * FROM hosted_visit WHERE link_id = ?', linkId)
        const row = rows.find(({ session_hash }) => session_hash === hash)
        if (row === undefined && rows.length >= VISITS_MAX) return false
        await queries.run(
          `INSERT INTO hosted_visit (session_hash, link_id, report_id, is_handed, cookies, seen_at_ms)
           VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (link_id, session_hash) DO UPDATE SET
             report_id = excluded.report_id, cookies = excluded.cookies, seen_at_ms = excluded.seen_at_ms`,
          hash,
          linkId,
          visit.reportId ?? row?.report_id ?? null,
          visit.isHanded ? 1 : 0,
          JSON.stringify(withCookies(row ? readJar(row.cookies) : visit.jar, setCookies)),
          clock(),
        )
        return true
      })
    },

    /**
     * The check of a browser that began it or gave the right date of birth, for another one; what that browser typed
     * stays behind.
     */
    async ticketsOf(linkId: string, reportId: string): Promise<string[]> {
      const admitted = (await list(linkId)).filter((row) => row.report_id === reportId).at(-1)
      const tickets = admitted && readJar(admitted.cookies)[TICKETS]
      return tickets === undefined ? [] : [`${TICKETS}=${tickets}`]
    },

    /** In the QR code of a browser's page: who comes by it is that browser's own second device. */
    handOff: (session: string, linkId: string) =>
      keyedIndex(keys.indexes[0], 'hand-off', `${linkId} ${hashOf(session)}`).slice(0, SESSION_BYTES),

    async isHandedOff(code: string, linkId: string): Promise<boolean> {
      const rows = await list(linkId)
      const codes = rows.flatMap(({ session_hash }) =>
        keys.indexes.map((key) => keyedIndex(key, 'hand-off', `${linkId} ${session_hash}`).slice(0, SESSION_BYTES)),
      )
      return codes.includes(code)
    },

    sweep: () =>
      database.run(
        `DELETE FROM hosted_visit WHERE (link_id, session_hash) IN (
           SELECT link_id, session_hash FROM hosted_visit WHERE seen_at_ms < ? LIMIT ?)`,
        clock() - DAY_MS,
        DELETE_ROWS_MAX,
      ),
  }
}

function toVisit(session: string, row: VisitRow): Visit {
  return {
    session,
    reportId: row.report_id,
    isHanded: row.is_handed === 1,
    jar: readJar(row.cookies),
  }
}

function readJar(text: string): Jar {
  const reading = read(Jar, tryParseJson(Buffer.from(text)))
  return reading.ok ? reading.value : {}
}

/** As a browser would keep them, but for their age: what is too old, the proxy does not open. */
function withCookies(jar: Jar, setCookies: readonly string[]): Jar {
  const next = new Map(Object.entries(jar))
  for (const line of setCookies) {
    const [pair = ''] = line.split(';')
    const end = pair.indexOf('=')
    const [name, value] = [pair.slice(0, end), pair.slice(end + 1)]
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  return Object.fromEntries([...next].slice(0, COOKIES_MAX))
}

export function cookieHeader(jar: Jar): string {
  return Object.entries(jar)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
}
