// The gateway in a process of its own, so that what it costs is not taken from the service.
import { startFaultyGateway } from '../../providers/faulty-gateway/gateway.ts'
import { startModule } from '../../store/run-module.ts'

export type GatewayInput = { secret: string; bureaus: readonly string[]; slowMs: number }

/** Runs in the child. */
export async function run({ secret, bureaus, slowMs }: GatewayInput): Promise<void> {
  const gateway = await startFaultyGateway({ secret })
  for (const bureau of bureaus) gateway.always(bureau, { kind: 'slow', ms: slowMs })
  process.stdout.write(`${gateway.url}\n`)
}

export async function startGatewayChild(input: GatewayInput): Promise<{ url: string; kill(): Promise<void> }> {
  const child = await startModule(new URL(import.meta.url), input)
  const url = await child.nextLine()
  if (url === null) throw new Error('the gateway did not start')
  return { url, kill: () => child.kill() }
}
