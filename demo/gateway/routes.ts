// Lets the demo decide how badly its providers behave.
import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { ServiceEnv } from '../../service/http/context.ts'
import { readJson } from '../../service/http/read-json.ts'
import { type FaultyGateway, PROVIDERS } from './gateway.ts'

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
  /** What it does from now on; null behaves. */
  fault: z.nullable(SpokenFault),
})

/** Mounted below `/demo/gateway`, when the demo runs one. */
export function gatewayRoutes(gateway: FaultyGateway): Hono<ServiceEnv> {
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
