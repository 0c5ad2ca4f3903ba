import type { BrowserType, LaunchOptions } from '@playwright/test'

export function ensureBrowser(): Promise<void>
export function browserLaunchOptions(): LaunchOptions
export function wholeBrowserLaunchOptions(): LaunchOptions
export function onPath(commands: readonly string[]): { executablePath: string }[]
export function works(browserType: BrowserType, options: LaunchOptions): Promise<boolean>
export function download(...browsers: string[]): Promise<boolean>
export function installPackages(...packages: string[]): Promise<boolean>
