import { randomBytes } from 'node:crypto'
import { createProviders } from '../../plugins/live-providers/create-providers.ts'
import { createHttpGateway } from '../../plugins/live-providers/http/sms.ts'
import type { ProviderSettings } from '../../plugins/live-providers/settings.ts'
import { type PortalStartOptions, startWithPortal } from '../../portal/start.ts'
import type { SmsProvider } from '../../service/providers/providers.ts'
import { createSimulatedPhone } from '../../service/providers/simulated/simulated.ts'
import type { RunningService } from '../../service/start.ts'
import { type FaultyGateway, startFaultyGateway } from '../gateway/gateway.ts'
import { createMailbox } from './mailbox.ts'
import { createDemoPlugin } from './mount.ts'
import { DEMO_TENANTS } from './seed.ts'

/** The service, its portal and the demo's routes; with `DEMO_GATEWAY=1` its providers are peers on a loopback port. */
export async function startDemoService(given: PortalStartOptions): Promise<RunningService> {
  const shop = given.environment.DEMO_SHOP_URL
  const mailbox = createMailbox(Date.now)
  const options = { ...given, mailbox, publicClients: DEMO_TENANTS, links: linksOf(shop) }
  if (!options.config.demoGateway)
    return startWithPortal({ ...options, plugins: [createDemoPlugin({ mailbox, shop })] })
  const { gateway, settings } = await startDemoGateway(options.config.providers)
  try {
    const config = { ...options.config, providers: settings }
    const phone = createSimulatedPhone(Date.now)
    const { bureaus, publicUrl } = config
    const { sms } = createProviders({ settings, bureaus, publicUrl, phone, log: options.log })
    const service = await startWithPortal({
      ...options,
      config,
      phone,
      providers: { sms: shownOnPhone(sms, phone) },
      plugins: [createDemoPlugin({ mailbox, gateway, shop })],
    })
    return {
      url: service.url,
      async stop() {
        await service.stop()
        await gateway.close()
      },
    }
  } catch (error) {
    await gateway.close()
    throw error
  }
}

/** `shop`: where the demo's shop is; unset when the service runs without one. */
function linksOf(shop: string | undefined): { href: string; name: string }[] {
  const mailbox = { href: '/demo/mail', name: 'Mailbox (demo)' }
  if (!shop) return [mailbox]
  return [{ href: `${shop}/preview`, name: 'Preview (demo)' }, { href: shop, name: 'Shop (demo)' }, mailbox]
}

// `DEMO_GATEWAY=1`: the demo's providers are real network peers, on this machine.
const SECRET_BYTES = 24

/** Starts a gateway whose texts all arrive, and the settings that make the service use it for everything. */
async function startDemoGateway(
  settings: ProviderSettings,
): Promise<{ gateway: FaultyGateway; settings: ProviderSettings }> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const gateway = await startFaultyGateway({ secret, reports: ['sent', 'delivered'] })
  const http = { url: gateway.url, token: secret }
  const sms = {
    kind: 'http',
    from: 'Demo',
    numbers: [],
    ...createHttpGateway({ ...http, from: 'Demo', receiptSecret: secret }),
  } as const
  return { gateway, settings: { ...settings, bureau: http, risk: http, sms } }
}

/** Every text the gateway takes is also shown on the demo's phone, where it can be read. */
function shownOnPhone(sms: SmsProvider, phone: SmsProvider): SmsProvider {
  return {
    async send(message, signal) {
      const outcome = await sms.send(message, signal)
      if (outcome !== 'refused') await phone.send(message, signal)
      return outcome
    },
  }
}
