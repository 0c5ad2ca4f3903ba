// The demo's own calls to the service: its wallet with the published client, the texts on the phone and the clock by the demo's routes.
import * as z from 'zod/mini'
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

  return {
    wallet,
    walletLines,

    /** Newest first. */
    listTexts: async () => DemoTexts.parse(await call('/demo/sms')),

    /** Moves the service's time for this tenant's test-mode challenges. */
    moveClock: async (advanceSeconds: number): Promise<void> => {
      const headers = { Authorization: `Bearer ${await accessToken.get()}`, 'Content-Type': 'application/json' }
      await call('/demo/clock', { method: 'POST', headers, body: JSON.stringify({ advanceSeconds }) })
    },
  }
}
