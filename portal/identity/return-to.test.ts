import { describe, expect, test } from 'vitest'
import { readReturnTo } from './return-to.ts'

const here = 'https://service.example'

describe('a path of ours is kept', () => {
  test.each([
    ['/', '/'],
    ['/console', '/console'],
    ['/console?before=top-up_x&a=b', '/console?before=top-up_x&a=b'],
    ['/console#ledger', '/console#ledger'],
    ['/console/checks/0199-ab', '/console/checks/0199-ab'],
    ['/a%20b', '/a%20b'],
    ['/console/../docs', '/docs'],
    ['/search?to=https://evil.example', '/search?to=https://evil.example'],
  ])('%s', (given, expected) => {
    expect(readReturnTo(given)).toBe(expected)
  })
})

const hostile = [
  '//evil.example',
  '///evil.example',
  '////evil.example/%2f..',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  '\\evil.example',
  'https://evil.example',
  'HTTPS://evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https:\\\\evil.example',
  'http://service.example@evil.example',
  '//service.example@evil.example',
  '@evil.example',
  'evil.example',
  '.evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/ /evil.example',
  '/\u0000/evil.example',
  '/%2f%2fevil.example',
  '/%2Fevil.example',
  '/%5cevil.example',
  '/%5C%5Cevil.example',
  '/%09/evil.example',
  '/%0d%0aLocation:%20https://evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/console/..//evil.example',
  '/./\\evil.example',
  '/%2e%2e//evil.example',
  '/\u2215evil.example',
  '/\uff0f\uff0fevil.example',
  '\uff0f\uff0fevil.example',
  '//evil\u3002example',
  '//0x7f.1',
  '//[::1]',
  '/\u202e/evil.example',
  '?to=//evil.example',
  '#//evil.example',
  '',
  `/${'a'.repeat(2_001)}`,
]

describe('anything else leads to the console', () => {
  test('there are at least forty of them', () => {
    expect(new Set(hostile).size).toBeGreaterThanOrEqual(40)
  })

  test.each(hostile.map((given) => [JSON.stringify(given).slice(0, 80), given]))('%s', (_name, given) => {
    const path = readReturnTo(given)
    expect(path).toBe('/console')
  })

  test('nothing at all', () => {
    expect(readReturnTo(undefined)).toBe('/console')
  })

  test('whatever passes stays here, letter by letter', () => {
    const letters = ['/', '\\', '.', '%2f', '%5c', '@', ':', 'evil.example', '\t', '?', '#', 'a']
    for (const one of letters) {
      for (const two of letters) {
        for (const three of letters) {
          for (const four of letters) {
            const path = readReturnTo(`/${one}${two}${three}${four}`)
            expect(new URL(path, here).origin).toBe(here)
            expect(new URL(decodeURIComponent(path.replace(/%(?![0-9a-f]{2})/gi, '%25')), here).origin).toBe(here)
          }
        }
      }
    }
  })
})
