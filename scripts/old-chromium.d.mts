import type { LaunchOptions } from '@playwright/test'

export type OldChromiumName = 'chromium-116' | 'chromium-131'

export const OLD_CHROMIUMS: { [name in OldChromiumName]: string }
export const canRunOldChromium: boolean
export function oldChromium(name: OldChromiumName): LaunchOptions | null
export function fetchOldChromiums(): void
