// The demo's own calls to the service: its wallet, the texts on the phone, the clock. A lender would have little more.
import * as z from 'zod/mini'
import { Wallet, WalletLines } from '../../contract/wallet.ts'

export type Credentials = { clientId: string; clientSecret: string }

/** A text as `GET /demo/sms` lists it. */
export const DemoText = z.object({
  to: z.string(),
  body: z.string(),
  sentAt: z.string(),
  tenantId: z.string(),
  creditReportId: z.optional(z.string()),
})
export type DemoText = z.infer<typeof DemoText>

const DemoTexts = z.array(DemoText)
const Token = z.object({ access_token: z.string(), expires_in: z.number() })

const TOKEN_MARGIN_MS = 60_000
const WAIT_MS = 10_000

export type ServiceClient = ReturnType<typeof createServiceClient>

export function createServiceClient(service: string, { clientId, clientSecret }: Credentials) {
  let token: { text: string; renewAtMs: number } | null = null

  async function getToken(): Promise<string> {
    if (token && token.renewAtMs > Date.now()) return token.text
    const response = await fetch(`${service}/v1/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }),
      signal: AbortSignal.timeout(WAIT_MS),
    })
    if (!response.ok) throw new Error(`the service gave no token: ${response.status}`)
    const answer = Token.parse(await response.json())
    token = { text: answer.access_token, renewAtMs: Date.now() + answer.expires_in * 1000 - TOKEN_MARGIN_MS }
    return token.text
  }

  async function call(path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${service}${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { Authorization: `Bearer ${await getToken()}`, 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(WAIT_MS),
    })
    if (!response.ok) throw new Error(`${path}: the service answered ${response.status}`)
    return response.status === 204 ? null : response.json()
  }

  return {
    getWallet: async () => Wallet.parse(await call(`/${clientId}/v1/wallet`)),

    async getWalletLines(query: { limit?: string; creditReportId?: string } = {}) {
      return WalletLines.parse(await call(`/${clientId}/v1/wallet/lines?${new URLSearchParams(query)}`))
    },

    /** Newest first. */
    listTexts: async () => DemoTexts.parse(await call('/demo/sms')),

    /** Moves the service's time for this tenant's test-mode challenges. */
    moveClock: async (advanceSeconds: number): Promise<void> => {
      await call('/demo/clock', { advanceSeconds })
    },
  }
}
