// A child process: the faulty gateway, silent but for its address.
import { startFaultyGateway } from '../demo/gateway/gateway.ts'

export type GatewayInput = { secret: string; bureaus: readonly string[]; slowMs: number }

export async function run({ secret, bureaus, slowMs }: GatewayInput): Promise<void> {
  const gateway = await startFaultyGateway({ secret })
  for (const bureau of bureaus) gateway.always(bureau, { kind: 'slow', ms: slowMs })
  process.stdout.write(`${gateway.url}\n`)
}
