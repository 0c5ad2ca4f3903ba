// The real thing: the built service and the built proxy in processes of their own, and a front with the pages.
import { createHash } from 'node:crypto'
import { type Program, startProgram } from '../program.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { type Front, startFront } from './web-server.ts'

export type Lender = {
  service: ServiceProcess
  proxy: Program
  front: Front
  /** The fingerprint script's tag for a page, and the hash of the script. */
  fingerprint: string
  fingerprintIntegrity: string
  stop(): Promise<void>
}

export async function startLender(): Promise<Lender> {
  const service = await startServiceProcess({ RATE_LIMIT_PER_MINUTE: '100000' })
  const proxy = await startProgram({
    script: 'e2e/lender/lender.mjs',
    env: { SERVICE_URL: service.url },
    address: /lender: (http:\S+)/,
  })
  const front = await startFront(proxy.url)
  const device = `${service.url}/v1/fingerprints/device`
  const digest = createHash('sha384')
    .update(await (await fetch(device)).text())
    .digest('base64')
  return {
    service,
    proxy,
    front,
    fingerprint: `<script async src="${device}"></script>`,
    fingerprintIntegrity: `sha384-${digest}`,
    async stop() {
      await front.close()
      await proxy.end()
      await service.stop()
    },
  }
}
