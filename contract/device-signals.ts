/**
 * The signals that the fingerprint script may send about a device. `docs/auditor/device-signals.md` gives the purpose
 * of each and how long it is kept.
 */
export type DeviceSignal =
  | 'screen'
  | 'window'
  | 'languages'
  | 'zone'
  | 'platform'
  | 'cores'
  | 'memory'
  | 'touch'
  | 'webdriver'
  | 'engine'
  | 'age'
