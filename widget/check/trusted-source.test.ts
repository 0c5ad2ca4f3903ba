// @vitest-environment happy-dom
// @vitest-environment-options { "url": "https://shop.example/checkout" }
import { expect, test } from 'vitest'
import { isTrustedEndpoint, isTrustedSource } from './trusted-source.ts'

const FOREIGN = 'https://evil.example/device'

const WIDGET = 'https://shop.example/checkout/check/widget.js'

test.each([
  ['a foreign script', FOREIGN, '', WIDGET, false],
  ['a foreign one named by an element with the page’s nonce', FOREIGN, 'abc', WIDGET, true],
  ['an upload on the page’s own origin', '/uploads/evil.js', '', WIDGET, false],
  ['the same where a bundler brought the widget', '/uploads/evil.js', '', '', false],
  ['one below the widget’s own path', '/checkout/check/device.js', '', WIDGET, true],
  ['one below it that is pinned', '/checkout/check/v1/fingerprints/device@abc', '', WIDGET, true],
  ['one that leads out of it', '/checkout/check/../../uploads/evil.js', '', WIDGET, false],
  ['one that leads out of it in disguise', '/checkout/check/..%2f..%2fuploads/evil.js', '', WIDGET, false],
  ['one beside it', '/checkout/checked/device.js', '', WIDGET, false],
  ['the same path of another origin', 'https://evil.example/checkout/check/device.js', '', WIDGET, false],
  ['one below a widget at the top of its origin', '/uploads/evil.js', '', 'https://shop.example/widget.js', false],
  [
    'one below a widget of another origin',
    'https://cdn.example/w/device.js',
    '',
    'https://cdn.example/w/widget.js',
    true,
  ],
])('%s', (_name, src, pageNonce, scriptSrc, expected) => {
  expect(isTrustedSource(src, pageNonce, scriptSrc)).toBe(expected)
})

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
