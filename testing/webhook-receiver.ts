// Test support: a lender's server that takes webhooks, well or badly, and believes only what is signed.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

type Received = { id: string; type: string; data: { [name: string]: unknown }; at: string }

/**
 * Stands before the receiver: it answers or keeps silent, and the webhook was not taken; with `behave` it lets it
 * through.
 */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => unknown

export async function startWebhookReceiver({ path = '/webhook' } = {}) {
  const received: Received[] = []
  const refused: string[] = []
  const state = {
    secret: '',
    misbehave: null as Misbehaviour | null,
    /** Takes the webhook, and hangs up instead of saying so. */
    forgetsToAnswer: () => false,
    calls: 0,
  }
  const server = createServer(async (request, response) => {
    state.calls += 1
    const body = await buffer(request)
    if (state.misbehave !== null && state.misbehave(request, response) !== 'behave') return
    try {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const event = new Webhook(state.secret).verify(body, headers) as Omit<Received, 'id' | 'at'>
      received.push({ ...event, id: headers['webhook-id'] ?? '', at: headers['webhook-timestamp'] ?? '' })
      if (state.forgetsToAnswer()) request.socket.destroy()
      else response.writeHead(204).end()
    } catch (error) {
      refused.push(error instanceof Error ? error.message : 'unknown')
      response.writeHead(401).end()
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
