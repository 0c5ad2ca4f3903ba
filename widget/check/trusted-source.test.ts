// @vitest-environment happy-dom
// @vitest-environment-options { "url": "https://shop.example/checkout" }
import { beforeEach, expect, test } from 'vitest'
import { isTrustedEndpoint, isTrustedSource } from './trusted-source.ts'

const FOREIGN = 'https://evil.example/device'

beforeEach(() => document.head.replaceChildren())

test.each([
  ['a script of the page’s own origin', '/device.js', '', true],
  ['a foreign one', FOREIGN, '', false],
  ['a foreign one named by an element with the page’s nonce', FOREIGN, 'abc', true],
])('%s', (_name, src, pageNonce, expected) => expect(isTrustedSource(src, pageNonce)).toBe(expected))

test.each([
  ['a script of the page’s own origin, such as an upload', '/uploads/evil.js', '', false],
  ['the same, named by an element with the page’s nonce', '/device.js', 'abc', true],
])('where the page’s scripts carry nonces: %s', (_name, src, pageNonce, expected) => {
  document.head.append(Object.assign(document.createElement('script'), { nonce: 'abc' }))
  expect(isTrustedSource(src, pageNonce)).toBe(expected)
})

const WIDGET = 'https://shop.example/checkout/check/widget.js'

test.each([
  ['/checkout/check', WIDGET, true],
  ['/checkout/check/', WIDGET, true],
  ['/checkout/check/test/allow', WIDGET, true],
  ['/credit-reports', WIDGET, true],
  ['/credit-reports', '', true],
  ['/checkout', WIDGET, false],
  ['/checkout/checked', WIDGET, false],
  ['/uploads/evil', WIDGET, false],
  ['/uploads/evil', '', false],
  ['/credit-reports/../uploads/evil', WIDGET, false],
  ['/credit-reports/..%2fuploads/evil', WIDGET, false],
  ['/credit-reports/%2e%2e/uploads', WIDGET, false],
  ['https://evil.example/checkout/check', WIDGET, false],
  ['/uploads/evil', 'https://shop.example/widget.js', false],
])('the endpoint %s of a widget from %j may name a script: %s', (endpoint, src, expected) => {
  expect(isTrustedEndpoint(endpoint, src)).toBe(expected)
})
