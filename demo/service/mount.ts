// The additions of `DEMO=1` to the service: known tenants and people, and routes that show texts, move clocks and spoil
// providers. Production refuses it.
import { Hono } from 'hono'
import { html } from 'hono/html'
import * as z from 'zod/mini'
import type { MailMessage } from '../../portal/identity/mail.ts'
import { answerPage, type Page } from '../../portal/pages/layout.ts'
import { ApiError, validationError } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { AuthorisationTable } from '../../service/http/protect.ts'
import { readJson } from '../../service/http/read-body.ts'
import { advanceTestClock, resetTestClock } from '../../service/ledger/tenants.ts'
import type { Plugin } from '../../service/plugin.ts'
import type { SimulatedPhone } from '../../service/providers/simulated/simulated.ts'
import type { Database } from '../../service/store/database.ts'
import { type FaultyGateway, PROVIDERS } from '../gateway/gateway.ts'
import type { Mailbox } from './mailbox.ts'
import { seedDemo } from './seed.ts'

export const DEMO_ROUTES: AuthorisationTable = {
  'GET /demo/sms': { who: 'anyone' },
  'GET /demo/mail': { who: 'anyone' },
  'POST /demo/clock': { who: 'caller' },
  'GET /demo/gateway': { who: 'anyone' },
  'POST /demo/gateway': { who: 'caller' },
}

type DemoOptions = {
  mailbox: Mailbox
  gateway?: FaultyGateway | undefined
  /** The address of the demo's shop: a new database then gets a past as well. @default none */
  shop?: string | undefined
}

export function createDemoPlugin({ mailbox, gateway, shop }: DemoOptions): Plugin {
  return {
    name: 'demo',
    async serve({ config, database, clock, keys, phone }) {
      const { bureaus } = config
      const past = shop ? { prices: config, bureaus, webhookUrl: `${shop}/webhooks`, keys } : null
      await seedDemo(database, { past, nowMs: clock() })
      const routes = demoRoutes({ database, phone, mailbox })
      if (gateway) routes.route('/demo/gateway', gatewayRoutes(gateway))
      return { routes, authorisation: DEMO_ROUTES }
    },
  }
}

const ADVANCE_SECONDS_MAX = 31_536_000

const MoveClock = z.object({
  /** Time by which the clock of the caller's test-mode challenges moves forward. */
  advanceSeconds: z.optional(z.int().check(z.minimum(0), z.maximum(ADVANCE_SECONDS_MAX))),
  /** Puts it back to the real time. */
  reset: z.optional(z.literal(true)),
})

type DemoRouteOptions = { database: Database; phone: SimulatedPhone; mailbox: Mailbox }

function demoRoutes({ database, phone, mailbox }: DemoRouteOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  routes.get('/demo/sms', (context) => {
    // Newest first, as on a phone.
    const texts = phone.texts().map(({ to, body, sentAtMs, tenantId, creditReportId }) => ({
      to,
      body,
      sentAt: new Date(sentAtMs).toISOString(),
      tenantId,
      creditReportId,
    }))
    return context.json(texts)
  })

  routes.get('/demo/mail', (context) => {
    const mails = mailbox
      .messages()
      .map(({ sentAtMs, ...mail }) => ({ ...mail, sentAt: new Date(sentAtMs).toISOString() }))
    const wantsPage = (context.req.header('Accept') ?? '').includes('text/html')
    return wantsPage ? answerPage(context, mailPage(mails)) : context.json(mails)
  })

  routes.post('/demo/clock', async (context) => {
    const { advanceSeconds, reset } = await readJson(context.req.raw, MoveClock)
    const tenantId = onlyTenant(context.get('caller').tenantIds)
    if (reset) await resetTestClock(database, tenantId)
    else if (advanceSeconds === undefined) throw validationError([{ path: 'advanceSeconds', expected: 'is required' }])
    const aheadMs = await advanceTestClock(database, tenantId, (advanceSeconds ?? 0) * 1000)
    return context.json({ tenantId, aheadSeconds: aheadMs / 1000 })
  })

  return routes
}

function mailPage(mails: readonly (MailMessage & { sentAt: string })[]): Page {
  // A link ends where a space or a line does.
  const linked = (text: string) =>
    text.split(/(https?:\/\/\S+)/).map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))
  const body = html`<h1>Mailbox of the demo</h1>
${mails.length === 0 ? html`<p class="lead">No mail has been sent yet.</p>` : ''}
${mails.map(
  ({ to, subject, text, sentAt }) => html`<article class="panel">
  <h2>${subject}</h2>
  <p class="hint">To ${to}, ${sentAt}</p>
  ${text.split('\n\n').map((paragraph) => html`<p>${linked(paragraph)}</p>`)}
</article>`,
)}`
  return { title: 'Mailbox', body }
}

function onlyTenant(tenantIds: readonly string[]): string {
  const [tenantId, ...others] = tenantIds
  if (tenantId !== undefined && others.length === 0) return tenantId
  throw new ApiError('forbidden', 'the clock belongs to one tenant; use the credentials of its API client')
}

const SLOW_MS_MAX = 60_000

const SpokenFault = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('slow'), ms: z.int().check(z.minimum(0), z.maximum(SLOW_MS_MAX)) }),
  z.object({ kind: z.literal('status'), status: z.int().check(z.minimum(400), z.maximum(599)) }),
  z.object({
    kind: z.enum([
      'hang',
      'reset',
      'lost',
      'cut',
      'drip',
      'garbage',
      'nonsense',
      'huge',
      'deep',
      'bomb',
      'wrong-person',
    ]),
  }),
])

const Habit = z.object({
  /** One of those it plays. */
  provider: z.enum(PROVIDERS),
  /** Its behaviour from now on; null behaves. */
  fault: z.nullable(SpokenFault),
})

/** Mounted below `/demo/gateway`, when the demo runs one. */
function gatewayRoutes(gateway: FaultyGateway): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  routes.get('/', (context) =>
    context.json({
      calls: Object.fromEntries(PROVIDERS.map((provider) => [provider, gateway.calls(provider)])),
      texts: gateway.texts.length,
    }),
  )

  routes.post('/', async (context) => {
    const { provider, fault } = await readJson(context.req.raw, Habit)
    gateway.always(provider, fault)
    return context.json({ provider, fault })
  })

  return routes
}
