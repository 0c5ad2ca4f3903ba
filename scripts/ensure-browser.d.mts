import type { LaunchOptions } from '@playwright/test'

export function ensureBrowser(): Promise<void>
export function browserLaunchOptions(): LaunchOptions
export function wholeBrowserLaunchOptions(): LaunchOptions
