import { expect, test } from 'vitest'
import { profileOf, readSignals } from './signals.ts'

test.each([
  ['pairs', 'cores=8&touch=0', { cores: '8', touch: '0' }],
  ['an encoded value', 'zone=0%2C-60%2C(Greenwich%20Mean%20Time)', { zone: '0,-60,(Greenwich Mean Time)' }],
  ['a value with an equals sign', 'platform=a=b', { platform: 'a=b' }],
  ['a source that threw', 'cores&touch=0', { cores: '!', touch: '0' }],
  ['what the browser does not have', 'memory=undefined&cores=8', { cores: '8' }],
  ['an empty value', 'languages=&cores=8', { cores: '8' }],
  ['a broken escape', 'cores=%E0%A4%A', { cores: '!' }],
  ['an unknown name', 'email=a%40b.example&cores=8', { cores: '8' }],
  ['names of the language itself', '__proto__=1&constructor=2&toString=3', {}],
  ['a repeated name, of which the first counts', 'cores=8&cores=16', { cores: '8' }],
  ['nothing', '', {}],
  ['rubbish', '\u0000&&&===&%%%', {}],
  ['JSON', '{"cores":8}', {}],
])('reads %s', (_what, body, signals) => {
  expect(readSignals(body)).toEqual(signals)
})

test('a long value is cut, so that a session stays small', () => {
  const longest = `first${'9'.repeat(195)}`
  expect(readSignals(`screen=${longest}`).screen).toBe(longest)
  expect(readSignals(`screen=${longest}9`).screen).toBe(longest)
})

test('the profile is what stays the same between visits', () => {
  const first = readSignals('screen=1,2&cores=8&window=100,200&age=12&webdriver=false')
  const second = readSignals('age=9999&cores=8&screen=1,2&window=0,0&webdriver=true')
  expect(profileOf(second)).toBe(profileOf(first))
  expect(profileOf({ ...first, cores: '4' })).not.toBe(profileOf(first))
})

const DEVICE = {
  screen: '390,844',
  window: '1280,800',
  languages: 'en-GB',
  zone: '0,-60',
  platform: 'Linux',
  cores: '8',
  memory: '4',
  touch: '5',
  webdriver: 'false',
  engine: '37',
  age: '12',
}

test.each<[keyof typeof DEVICE, boolean]>([
  ['screen', true],
  ['window', false],
  ['languages', true],
  ['zone', true],
  ['platform', true],
  ['cores', true],
  ['memory', true],
  ['touch', true],
  ['webdriver', false],
  ['engine', true],
  ['age', false],
])('another %s is another profile: %s', (name, isOther) => {
  const changed = { ...DEVICE, [name]: 'another' }
  expect(profileOf(changed) !== profileOf(DEVICE)).toBe(isOther)
  const { [name]: _left, ...without } = DEVICE
  expect(profileOf(without) !== profileOf(DEVICE)).toBe(isOther)
})

test('a profile is the stable signals in their order, an empty line for what is missing', () => {
  expect(profileOf(DEVICE)).toBe('390,844\nen-GB\n0,-60\nLinux\n8\n4\n5\n37')
  expect(profileOf({ cores: '8' })).toBe('\n\n\n\n8\n\n\n')
})
