// Everything the script looks at. Each source is a plain read that costs well under a millisecond: no canvas, audio,
// fonts, WebGL, Intl (26 ms of start-up), plug-ins or storage, which are slow and which browsers falsify. Nothing that
// tells of a person's needs either: no reduced motion, contrast or forced colours. docs/auditor/device-signals.md says
// what each one is for.

import type { DeviceSignal } from '../contract/device-signals.ts'

type Hints = { userAgentData?: { platform: string }; deviceMemory?: number }

const device: Navigator & Hints = navigator

const sources: { [name in DeviceSignal]: () => unknown } = {
  screen: () => [screen.width, screen.height, screen.colorDepth, devicePixelRatio],
  window: () => [outerWidth, outerHeight],
  languages: () => device.languages,
  zone: () => [offsetIn(0), offsetIn(6), /\(.*/.exec(`${new Date()}`)],
  platform: () => [device.platform, device.userAgentData && device.userAgentData.platform],
  cores: () => device.hardwareConcurrency,
  memory: () => device.deviceMemory,
  touch: () => device.maxTouchPoints,
  webdriver: () => device.webdriver,
  engine: () => [`${Function}`.length, Math.tan(-1e300)],
  age: () => performance.now() | 0,
}

/**
 * One line of URL-encoded pairs: `name=value`, or the bare name when reading it threw.
 * Not JSON, which pages patch and old libraries bend with `toJSON`.
 */
export function collect(): string {
  return Object.keys(sources).map(read).join('&')
}

function read(name: string): string {
  try {
    return `${name}=${encodeURIComponent(`${sources[name as DeviceSignal]()}`)}`
  } catch {
    return name
  }
}

// Winter and summer offsets tell zones apart that share one of them.
function offsetIn(month: number): number {
  return new Date(2026, month).getTimezoneOffset()
}
