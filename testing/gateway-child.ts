// Test support: the gateway in a process of its own, so that what it costs is not taken from the service.

import type { GatewayInput } from './run-gateway.ts'
import { startModule } from './run-module.ts'

export async function startGatewayChild(input: GatewayInput): Promise<{ url: string; kill(): Promise<void> }> {
  const child = await startModule(new URL('run-gateway.ts', import.meta.url), input)
  const url = await child.nextLine()
  if (url === null) throw new Error('the gateway did not start')
  return { url, kill: () => child.kill() }
}
