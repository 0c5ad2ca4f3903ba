import type { LaunchOptions } from '@playwright/test'
import type { OldChromiumName } from './old-chromium.mjs'

/** The three programs that make a WebKit without Playwright. */
export type WebKitDriver = { driver: string; browser: string; screen: string }

/** The start of an engine. */
export type Engine = { launchOptions: LaunchOptions } | { webKitDriver: WebKitDriver }
export type EngineName = 'chromium' | 'firefox' | 'webkit' | OldChromiumName
export type Engines = { [name in EngineName]?: Engine }

export function findEngines(): Promise<Engines>
export function installEngines(): Promise<Engines>
export function readEngines(): Engines
export function describeEngines(engines: Engines): string
