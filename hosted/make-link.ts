// Makes a link, for the API and the console.
import type { MadeLink, NewLink } from '../contract/link.ts'
import { validationError } from '../service/http/api-error.ts'
import type { Core } from '../service/plugin.ts'
import type { Transactions } from '../service/store/database.ts'
import { problemOfReturn, readLenderPage } from './lender-page.ts'
import { beginWith, type LenderProxies } from './lender-proxy.ts'
import type { Links } from './links.ts'

type MakeOptions = Pick<Core, 'database'> & { links: Links; proxyOf: LenderProxies }

export type MakeLink = (
  act: Transactions,
  wanted: { tenantId: string; link: NewLink; made?: { key: string; body: string } | null },
) => Promise<MadeLink>

/** Throws the `ApiError` that says what is wrong with it. */
export function createMakeLink({ database, links, proxyOf }: MakeOptions): MakeLink {
  return async (act, { tenantId, link, made = null }) => {
    const { returnUrl, start, test = false } = link
    const problem =
      returnUrl === undefined ? null : problemOfReturn(returnUrl, await readLenderPage(database, tenantId))
    if (problem) throw validationError([problem])
    if (start) requireFit(() => beginWith(proxyOf({ tenant_id: tenantId, test: test ? 1 : 0 }), start))
    const row = await links.make(act, { tenantId, link, made })
    const url = row && links.urlOf(row)
    if (!row || !url)
      throw validationError([{ path: 'Idempotency-Key', expected: 'was used with another body; use a new key' }])
    return { linkId: row.id, url, expiresAt: new Date(row.expires_at_ms).toISOString() }
  }
}

/** A known applicant that no page could begin with is refused before there is a link. */
function requireFit(begin: () => unknown): void {
  try {
    begin()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw validationError([{ path: 'start', expected: error.message.replace(/^begin: /, '') }])
  }
}
