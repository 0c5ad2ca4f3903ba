// The context of a console page: its person and lender, answering with a page, and carrying out a form once.
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { OneTimeLinks } from '../identity/one-time-links.ts'
import { readForm } from '../identity/read-form.ts'
import type { Users } from '../identity/users.ts'
import { alert, answerPage, type Link, type Markup } from '../pages/layout.ts'
import { answerFile, type File } from './download.ts'
import { consolePage, type TenantVisit, type Visit } from './frame.ts'
import type { KeptForms } from './kept-forms.ts'
import { type Presses, pressIdOf, type Shown } from './presses.ts'
import type { RequestsFirst } from './requests-first.ts'
import { showTaken } from './show.ts'
import { tenantsBody } from './wallet-pages.ts'

export type PageContext = Context<ServiceEnv>
export type Visits = ReturnType<typeof createVisits>

type Status = Parameters<typeof answerPage>[2]

/**
 * The outcome of a form. Carried out: the browser is redirected to a page that says so. Refused, in words or on a page
 * with what was typed: nothing was changed.
 */
export type Outcome = Response | Refused | (Shown & { to?: string })

/** `status`: 404 for what is not there. @default 409 */
export type Refused = { refused: string | Markup; status?: 404 }

/** Asked before something that cannot be taken back, or that others depend on. */
type Question = {
  title: string
  /** The effect, in words. */
  body: Markup
  button: string
  /** Further choices, inside the form. */
  fields?: Markup
  isDanger?: boolean
}

type Ask<V> = (context: PageContext, visit: V) => Promise<Question | Refused>
type Carry<V> = (context: PageContext, visit: V, form: URLSearchParams) => Promise<Outcome>

const NOT_SENT = 'You were signed out, and the form was not sent. Check below what you typed, then press once more.'
const OUT_OF_DATE = 'That form is out of date. Open the page again.'

export function createVisits({
  users,
  invitations,
  presses,
  keptForms,
  requestsFirst,
  signOutOrigins,
  links,
}: {
  users: Users
  invitations: Pick<OneTimeLinks, 'listFor'>
  presses: Presses
  keptForms: KeptForms
  requestsFirst: RequestsFirst
  /** Other origins that signing out may redirect to. */
  signOutOrigins: readonly string[]
  /** Shown below the navigation. */
  links: readonly Link[]
}) {
  const show = (
    context: PageContext,
    visit: Visit,
    page: { path: string; title: string; body: Markup },
    status?: Status,
  ) => answerPage(context, consolePage(visit, page), status)

  /** Behind the rule `page` of the authorisation table, which has set the person and the lender they act for. */
  async function visitOf(context: PageContext): Promise<Visit> {
    const caller = context.get('caller')
    const user = caller.kind === 'user' ? await users.find(caller.userId) : null
    if (caller.kind !== 'user' || user === null) throw new Error('a page without a person')
    const tenants = await users.listTenants(user.id)
    const tenant = tenants.find(({ id }) => id === context.get('tenantId')) ?? null
    const pressId = pressIdOf(caller.sessionId, context.req.query('done'))
    const taken = pressId === null ? null : await presses.take(pressId)
    const isRepeated = context.req.query('again') !== undefined
    const kept = await keptForms.take(context, { userId: user.id, tenantId: tenant?.id ?? null })
    const notice = taken !== null ? showTaken(taken, { isRepeated }) : kept !== null ? alert(NOT_SENT) : ''
    const opened = taken?.state === 'first' ? (taken.shown.opens ?? null) : null
    const { sessionId } = caller
    const press = () => presses.field({ sessionId, tenantId: tenant?.id ?? null })
    return { user, tenants, tenant, sessionId, formOrigins: signOutOrigins, links, notice, opened, press, kept }
  }

  /** For those who act for no lender yet. */
  async function choose(context: PageContext, visit: Visit, problem?: string) {
    const body = tenantsBody(visit, await invitations.listFor(visit.user.email), problem)
    return show(context, visit, { path: '/console/tenants', title: 'Choose a lender', body }, problem ? 403 : 200)
  }

  /** For an address of `path` whose query was edited or cut off: the whole page would look like what was asked for. */
  function showUnknown(context: PageContext, visit: Visit, path: string) {
    const body = html`<h1>No such page</h1>
<p class="lead">Part of this address is unknown: it may be cut off, or belong to another lender.</p>
<p><a class="button" href="${path}">Begin again</a></p>`
    return show(context, visit, { path, title: 'No such page', body }, 404)
  }

  function refuse(context: PageContext, visit: Visit, to: string, { refused, status }: Refused) {
    const body = html`<h1>Nothing was changed</h1>
${alert(refused)}
<p><a class="button" href="${to}">Go back</a></p>`
    return show(context, visit, { path: to, title: 'Nothing was changed', body }, status ?? 409)
  }

  /** Carries a form out once, and sends the browser on: a reload repeats nothing. */
  async function carryOut(
    context: PageContext,
    visit: Visit,
    to: string,
    carry: () => Promise<Outcome>,
    given: string | null,
  ) {
    // A form about a lender is for the one that is selected: `requirePage` has compared them.
    const tenantIds = visit.tenants.map(({ id }) => id)
    const press = presses.read(given, { sessionId: visit.sessionId, tenantIds })
    const id = pressIdOf(visit.sessionId, press?.id)
    if (press === null || id === null) return refuse(context, visit, to, { refused: OUT_OF_DATE })
    const place = (path: string, repeated = '') => `${path}?done=${press.id}${repeated}`
    if (!(await presses.claim(id))) return context.redirect(place(to, '&again'), 303)
    const outcome = await carry().catch(async (error: unknown) => {
      await presses.release(id)
      throw error
    })
    if (outcome instanceof Response || 'refused' in outcome) {
      await presses.release(id)
      return outcome instanceof Response ? outcome : refuse(context, visit, to, outcome)
    }
    const { to: next = to, ...shown } = outcome
    await presses.finish(id, shown)
    return context.redirect(place(next), 303)
  }

  function pages<V extends Visit>(enter: (context: PageContext) => Promise<V | Response>) {
    const routes = new Hono<ServiceEnv>()
    const within =
      (answer: (context: PageContext, visit: V) => Response | Promise<Response>) => async (context: PageContext) => {
        const visit = await enter(context)
        return visit instanceof Response ? visit : answer(context, visit)
      }
    const get = (path: string, answer: (context: PageContext, visit: V) => Response | Promise<Response>) =>
      routes.get(path, within(answer))
    /** `to`: the page that says what came of it; may have the parameters of `path`. */
    const post = (path: string, to: string, carry: Carry<V>) =>
      routes.post(
        path,
        within(async (context, visit) => {
          const form = await readForm(context.req.raw)
          const page = to.replace(/:(\w+)/g, (_all, name) => context.req.param(name) ?? '')
          return carryOut(context, visit, page, () => carry(context, visit, form), form.get('press'))
        }),
      )
    return {
      routes,
      get,
      post,
      /** A page that asks first, then the form it sends. */
      ask(path: string, to: string, question: Ask<V>, carry: Carry<V>) {
        get(path, async (context, visit) => {
          const asked = await question(context, visit)
          if ('refused' in asked) return refuse(context, visit, to, asked)
          const body = questionBody(asked, { action: context.req.path, to, press: visit.press() })
          return show(context, visit, { path: to, title: asked.title, body })
        })
        post(path, to, carry)
      },
    }
  }

  return {
    show,
    showUnknown,
    download: (context: PageContext, file: File) => answerFile(context, file, requestsFirst),
    visitOf,
    choose,
    /** Pages about oneself. */
    personPages: () => pages(visitOf),
    /** Pages about a lender. A person who has not chosen one sees the choice instead. */
    tenantPages: () =>
      pages<TenantVisit>(async (context) => {
        const visit = await visitOf(context)
        return visit.tenant === null ? choose(context, visit) : { ...visit, tenant: visit.tenant }
      }),
  }
}

function questionBody(
  { title, body, button, fields, isDanger = false }: Question,
  { action, to, press }: { action: string; to: string; press: Markup },
): Markup {
  return html`<h1>${title}</h1>
<form class="panel" method="post" action="${action}">
  ${body}
  ${fields ?? ''}${press}
  <div class="row"><button class="button${isDanger ? ' danger' : ''}" type="submit">${button}</button> <a href="${to}">Cancel</a></div>
</form>`
}
