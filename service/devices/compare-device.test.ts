import { expect, test } from 'vitest'
import { compareDevice, type SeenDevice, type ShownDevice } from './compare-device.ts'

const seen: SeenDevice = { networkHash: '4:home', agentHash: 'chrome' }
const shown: ShownDevice = { networkHash: '4:home', agentHash: null }

test.each<[string, SeenDevice, ShownDevice, string, boolean]>([
  ['the same network', seen, shown, 'same', false],
  ['a phone that went from Wi-Fi to mobile data', seen, { ...shown, networkHash: '4:mobile' }, 'other', false],
  ['IPv6 towards us and IPv4 towards the lender', { ...seen, networkHash: '6:home' }, shown, 'unknown', false],
  ['a lender on a private network', seen, { ...shown, networkHash: null }, 'unknown', false],
  ['a service on a private network', { ...seen, networkHash: null }, shown, 'unknown', false],
  ['the same browser by name', seen, { ...shown, agentHash: 'chrome' }, 'same', false],
  ['another browser by name', seen, { ...shown, agentHash: 'firefox' }, 'same', true],
])('%s', (_what, session, use, network, isOther) => {
  expect(compareDevice(session, use)).toEqual({ network, isOther })
})
