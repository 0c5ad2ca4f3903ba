/** What the fingerprint script may tell the service about a device. `docs/auditor/device-signals.md` says what each is for and how long it is kept. */
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
