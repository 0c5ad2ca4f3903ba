// `DEMO_GATEWAY=1`: the demo's providers are real network peers, on this machine.
import { randomBytes } from 'node:crypto'
import type { SmsProvider } from '../../service/providers/providers.ts'
import type { ProviderSettings } from '../../service/providers/settings.ts'
import { type FaultyGateway, startFaultyGateway } from './gateway.ts'

const SECRET_BYTES = 24

/** Starts a gateway whose texts all arrive, and the settings that make the service use it for everything. */
export async function startDemoGateway(
  settings: ProviderSettings,
): Promise<{ gateway: FaultyGateway; settings: ProviderSettings }> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const gateway = await startFaultyGateway({ secret, reports: ['sent', 'delivered'] })
  const http = { url: gateway.url, token: secret }
  const sms = { kind: 'http', ...http, from: 'Demo', receiptSecret: secret } as const
  return { gateway, settings: { ...settings, bureau: http, risk: http, sms } }
}

/** Every text the gateway takes is also shown on the demo's phone, where somebody can read it. */
export function shownOnPhone(sms: SmsProvider, phone: SmsProvider): SmsProvider {
  return {
    async send(message, signal) {
      const outcome = await sms.send(message, signal)
      if (outcome !== 'refused') await phone.send(message, signal)
      return outcome
    },
  }
}
