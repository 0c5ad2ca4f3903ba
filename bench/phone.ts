// A phone that is not new on a network that is not good, the same for everything that is measured on one.
import type { CDPSession } from '@playwright/test'

export const PHONE_SCREEN = { width: 390, height: 844 }
export const CPU_SLOWER = 4
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }

export async function slowToAPhone(devtools: CDPSession): Promise<void> {
  await slowProcessor(devtools)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
}

/** Alone, where only work is counted: a page that waits longer does more of nothing, and that is counted too. */
export async function slowProcessor(devtools: CDPSession): Promise<void> {
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER })
}
