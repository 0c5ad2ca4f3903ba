// A lender's changes of its page and its links. A link is made by make-link.ts: it needs the lender's tenant proxy.
import * as z from 'zod/mini'
import { LenderPageChange, LOGO_BYTES_MAX } from '../contract/lender-page.ts'
import { act } from '../service/act/act.ts'
import { notFound, validationError } from '../service/http/api-error.ts'
import { changeLenderPage, logoType, showLenderPage } from './lender-page.ts'
import { revokeLinkRow } from './links.ts'

export const setLenderPage = act({
  name: 'hosted-page.set',
  says: 'Change the design of the page behind links, and the addresses they may lead back to',
  doors: ['console', 'api', 'admin'],
  reads: LenderPageChange,
  permission: 'integration',
  scope: 'settings',
  fresh: false,
  audit: 'hosted-page.set',
  async run(_core, { tenantId, acting }, change) {
    const changed = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    return showLenderPage(await changeLenderPage(acting, tenantId, changed))
  },
})

export const setLogo = act({
  name: 'hosted-page.set-logo',
  says: 'Set or remove the logo of the page behind links',
  doors: ['console', 'api'],
  /** In base64; nothing takes it away. */
  reads: z.object({ logo: z.optional(z.string()) }),
  permission: 'integration',
  scope: 'settings',
  fresh: false,
  audit: 'hosted-page.set',
  async run(_core, { tenantId, acting }, { logo: encoded = '' }) {
    const logo = encoded === '' ? null : Buffer.from(encoded, 'base64')
    if (logo && logo.byteLength > LOGO_BYTES_MAX)
      throw validationError([{ path: 'logo', expected: `must have at most ${LOGO_BYTES_MAX} bytes` }])
    if (logo && logoType(logo) === null)
      throw validationError([
        { path: 'logo', expected: 'must be a PNG or WebP picture of at most 2,000 pixels a side' },
      ])
    await changeLenderPage(acting, tenantId, { logo })
  },
})

export const revokeLink = act({
  name: 'link.revoke',
  says: 'Revoke a link to a check; its page closes at once',
  doors: ['console', 'api', 'admin'],
  reads: z.object({ linkId: z.string() }),
  names: ['linkId'],
  permission: 'links',
  scope: 'credit-reports',
  fresh: false,
  isFinal: true,
  audit: 'link.revoke',
  async run({ clock }, { tenantId, acting }, { linkId }) {
    if (!(await revokeLinkRow(acting, { tenantId, linkId, nowMs: clock() }))) throw notFound('link with this id')
  },
})

export const hostedActs = [setLenderPage, setLogo, revokeLink]
