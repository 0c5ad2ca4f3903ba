// The demo's own calls to the service: its wallet with the published client, the texts on the phone and the clock by
// the demo's routes.
import * as z from 'zod/mini'
import { envelope } from '../../contract/envelope.ts'
import { type LenderPageChange, LenderPageSettings } from '../../contract/lender-page.ts'
import { MadeLink, type NewLink } from '../../contract/link.ts'
import { createAccessToken } from '../../tenant-proxy/client/access-token.ts'
import { createClient } from '../../tenant-proxy/client/client.ts'
import { nodeTransport } from '../../tenant-proxy/client/transport.ts'

export type Credentials = { clientId: string; clientSecret: string }

/** A text as `GET /demo/sms` lists it. */
const DemoText = z.object({
  to: z.string(),
  body: z.string(),
  sentAt: z.string(),
  tenantId: z.string(),
  creditReportId: z.optional(z.string()),
})

const DemoTexts = z.array(DemoText)

const WAIT_MS = 10_000

export type ServiceClient = ReturnType<typeof createServiceClient>

export function createServiceClient(service: string, credentials: Credentials) {
  const { wallet, walletLines } = createClient({ service, tenantId: credentials.clientId, credentials })
  const line = { serviceUrl: service, credentials, timeoutMs: WAIT_MS, transport: nodeTransport, clock: Date.now }
  const accessToken = createAccessToken(line)

  async function call(path: string, options: RequestInit = {}): Promise<unknown> {
    const response = await fetch(`${service}${path}`, { ...options, signal: AbortSignal.timeout(WAIT_MS) })
    if (!response.ok) throw new Error(`${path}: the service answered ${response.status}`)
    return response.status === 204 ? null : response.json()
  }

  /** Below the lender's address, as JSON or as bytes. */
  async function ask(route: string, body?: object): Promise<unknown> {
    const [method = '', path = ''] = route.split(' ')
    const isPicture = body instanceof Uint8Array
    const headers = {
      Authorization: `Bearer ${await accessToken.get()}`,
      'Content-Type': isPicture ? 'image/png' : 'application/json',
    }
    const sent = isPicture ? new Uint8Array(body) : JSON.stringify(body)
    return call(`/${credentials.clientId}/v1${path}`, { method, headers, ...(body && { body: sent }) })
  }

  return {
    wallet,
    walletLines,

    /** The lender's page behind links gets its look with the first one, unless someone has given it another. */
    async makeLink(link: NewLink, look: LenderPageChange, logo: Uint8Array): Promise<MadeLink> {
      const page = envelope(LenderPageSettings).parse(await ask('GET /hosted-page')).data
      if (page.returnUrls.length === 0) {
        await ask('PUT /hosted-page', look)
        await ask('PUT /hosted-page/logo', logo)
      }
      return envelope(MadeLink).parse(await ask('POST /links', link)).data
    },

    /** Newest first. */
    listTexts: async () => DemoTexts.parse(await call('/demo/sms')),

    /** Moves the service's time for this tenant's test-mode challenges. */
    moveClock: async (advanceSeconds: number): Promise<void> => {
      const headers = { Authorization: `Bearer ${await accessToken.get()}`, 'Content-Type': 'application/json' }
      await call('/demo/clock', { method: 'POST', headers, body: JSON.stringify({ advanceSeconds }) })
    },
  }
}
