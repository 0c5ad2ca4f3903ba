// The console's pages about links to checks.
import type { Hono } from 'hono'
import { LINK_MINUTES_DEFAULT, LINK_MINUTES_MAX, NewLink } from '../../contract/link.ts'
import { read } from '../../contract/problems.ts'
import { revokeLink, setLenderPage, setLogo } from '../../hosted/acts.ts'
import type { Hosted } from '../../hosted/index.ts'
import { readLenderPage } from '../../hosted/lender-page.ts'
import { showLink } from '../../hosted/links.ts'
import type { ActCore } from '../../service/act/act.ts'
import { ApiError } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { pageOf } from '../../service/store/rows.ts'
import { carryOut, type Refusal } from './act-form.ts'
import { may, type TenantVisit } from './frame.ts'
import { LOOK_WORDS, linkBody, linksBody, lookBody, unknownLinkBody } from './hosted-pages.ts'
import type { PageContext, Visits } from './page-context.ts'

const LINKS_SHOWN = 50
const PATH = '/console/links'

const LOOK_PATH = '/console/hosted-page'

export type HostedPageOptions = { core: ActCore; hosted: Pick<Hosted, 'links' | 'makeLink'>; visits: Visits }

export function hostedPageRoutes({ core, hosted, visits }: HostedPageOptions): Hono<ServiceEnv> {
  const { clock, database } = core
  const { links, makeLink } = hosted
  const { routes, get, post } = visits.tenantPages()

  async function showLinks(context: PageContext, visit: TenantVisit, problem?: string) {
    const after = context.req.query('after')
    const found = await links.list({ tenantId: visit.tenant.id, after, limit: LINKS_SHOWN + 1 })
    const { rows, last } = pageOf(found, LINKS_SHOWN)
    const shown = rows.map((link) => showLink(link, clock()))
    const body = linksBody({ links: shown, nextAfter: last?.id, press: visit.press, problem })
    const title = problem ? 'Error: links' : 'Links'
    return visits.show(context, visit, { path: PATH, title, body }, problem ? 400 : 200)
  }

  get(PATH, (context, visit) => showLinks(context, visit))

  post(PATH, PATH, async (context, visit, form) => {
    const minutes = Number(form.get('minutes') ?? LINK_MINUTES_DEFAULT)
    const wanted = read(NewLink, {
      externalReference: (form.get('externalReference') ?? '').trim() || undefined,
      returnUrl: (form.get('returnUrl') ?? '').trim() || undefined,
      expiresInMinutes: Math.min(minutes, LINK_MINUTES_MAX),
      test: form.get('mode') !== 'live',
    })
    if (!wanted.ok) return showLinks(context, visit, 'That reference cannot be used.')
    try {
      const made = await makeLink(context.get('act'), { tenantId: visit.tenant.id, link: wanted.value })
      return { notice: 'The link was made.', to: `${PATH}/${made.linkId}` }
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'validation-error')) throw error
      return showLinks(context, visit, error.message)
    }
  })

  get(`${PATH}/:linkId`, async (context, visit) => {
    const link = await links.find(visit.tenant.id, context.req.param('linkId') ?? '')
    if (link === null)
      return visits.show(context, visit, { path: PATH, title: 'No such link', body: unknownLinkBody() }, 404)
    const body = linkBody({ link: showLink(link, clock()), url: links.urlOf(link), press: visit.press })
    return visits.show(context, visit, { path: PATH, title: 'Link', body })
  })

  post(`${PATH}/:linkId/revoke`, PATH, async (context, _visit, form) => {
    const revoked = await carryOut(context, { core, act: revokeLink, form })
    return 'refused' in revoked ? revoked : { notice: 'The link was revoked.' }
  })

  async function showLook(context: PageContext, visit: TenantVisit, refused?: Refusal & { form: URLSearchParams }) {
    const page = await readLenderPage(database, visit.tenant.id)
    const mayChange = may(visit, 'integration')
    const body = lookBody({ page, lender: visit.tenant.name, mayChange, refused, press: visit.press })
    const title = refused ? 'Error: hosted page' : 'Hosted page'
    return visits.show(context, visit, { path: LOOK_PATH, title, body }, refused ? 400 : 200)
  }

  get(LOOK_PATH, (context, visit) => showLook(context, visit))

  post(LOOK_PATH, LOOK_PATH, async (context, visit, form) => {
    // An empty field takes away what was there.
    const typed = new URLSearchParams(LOOK_WORDS.map((name) => [name, (form.get(name) ?? '').trim() || 'none']))
    typed.set('returnUrls', `${(form.get('returnUrls') ?? '').replace(/\s+/g, ',')},`)
    const set = await carryOut(context, { core, act: setLenderPage, form: typed })
    return 'refused' in set ? showLook(context, visit, { ...set, form }) : { notice: 'The page was changed.' }
  })

  post(`${LOOK_PATH}/logo`, LOOK_PATH, async (context, visit, form) => {
    const set = await carryOut(context, { core, act: setLogo, form })
    if ('refused' in set) return showLook(context, visit, { ...set, form })
    return { notice: form.get('logo') ? 'The logo was set.' : 'The page has no logo now.' }
  })

  return routes
}
