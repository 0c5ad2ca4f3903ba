// Test support: a lender's server that takes webhooks, well or badly, and believes only what is signed.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

export type Received = { id: string; type: string; data: { [name: string]: unknown }; at: string }

export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => void

/** `misbehave` stands before the receiver; when it answers or keeps silent, the webhook was not taken. */
export async function startWebhookReceiver({ path = '/webhook' } = {}) {
  const received: Received[] = []
  const refused: string[] = []
  const state: { secret: string; misbehave: Misbehaviour | null; calls: number } = {
    secret: '',
    misbehave: null,
    calls: 0,
  }
  const server = createServer(async (request, response) => {
    state.calls += 1
    const body = await buffer(request)
    if (state.misbehave !== null) return state.misbehave(request, response)
    try {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const event = new Webhook(state.secret).verify(body, headers) as Omit<Received, 'id' | 'at'>
      received.push({ ...event, id: headers['webhook-id'] ?? '', at: headers['webhook-timestamp'] ?? '' })
      return response.writeHead(204).end()
    } catch (error) {
      refused.push(error instanceof Error ? error.message : 'unknown')
      return response.writeHead(401).end()
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}${path}`,
    port,
    received,
    refused,
    state,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>
