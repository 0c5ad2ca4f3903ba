// The fingerprint script's signals, as the service stores them. The names are the contract between the two:
// URL-encoded pairs, `name=value`, or a bare `name` where the browser threw.
import type { DeviceSignal } from '../../contract/device-signals.ts'

export type Signals = { [name: string]: string }

/** The error that a browser threw in place of a value. */
export const UNREADABLE = '!'

const VALUE_LENGTH_MAX = 200

/**
 * Every signal there is, and whether it tells one device from another for months. A name that is not here is dropped:
 * a client cannot make us store more than docs/auditor/device-signals.md promises.
 */
const KNOWN: { [name in DeviceSignal]: { stable: boolean } } = {
  screen: { stable: true },
  window: { stable: false },
  languages: { stable: true },
  zone: { stable: true },
  platform: { stable: true },
  cores: { stable: true },
  memory: { stable: true },
  touch: { stable: true },
  webdriver: { stable: false },
  engine: { stable: true },
  age: { stable: false },
}

/** Never throws: a body that makes no sense has no signals in it. */
export function readSignals(body: string): Signals {
  const signals: Signals = {}
  for (const pair of body.split('&')) {
    const [name = '', ...value] = pair.split('=')
    if (!Object.hasOwn(KNOWN, name) || Object.hasOwn(signals, name)) continue
    const said = value.length === 0 ? UNREADABLE : decode(value.join('='))
    // A browser answers `undefined` for a feature that it lacks.
    if (said !== 'undefined' && said !== '') signals[name] = said.slice(0, VALUE_LENGTH_MAX)
  }
  return signals
}

/** The same for the same browser on the same device, mostly; many devices share one. */
export function profileOf(signals: Signals): string {
  return Object.entries(KNOWN)
    .filter(([, { stable }]) => stable)
    .map(([name]) => signals[name] ?? '')
    .join('\n')
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return UNREADABLE
  }
}
