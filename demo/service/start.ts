import { type PortalStartOptions, startWithPortal } from '../../portal/start.ts'
import { createProviders } from '../../service/providers/create-providers.ts'
import { createSimulatedPhone } from '../../service/providers/simulated.ts'
import type { RunningService } from '../../service/start.ts'
import { shownOnPhone, startDemoGateway } from '../gateway/demo-gateway.ts'
import { createDemoMount } from './mount.ts'
import { DEMO_TENANTS } from './seed.ts'

/** The service, its portal and the demo's routes; with `DEMO_GATEWAY=1` its providers are peers on a loopback port. */
export async function startDemoService(given: PortalStartOptions): Promise<RunningService> {
  const options = { ...given, publicClients: DEMO_TENANTS }
  if (!options.config.demoGateway) return startWithPortal({ ...options, mounts: [createDemoMount()] })
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
      mounts: [createDemoMount({ gateway })],
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
