import { expect, test } from 'vitest'
import { mayWrite } from './same-origin.ts'

type Row = [what: string, method: string, headers: { [name: string]: string }, allowed: boolean]

test.each<Row>([
  ['reading needs nothing', 'GET', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }, true],
  ['a page of ours', 'POST', { Origin: 'https://service.example', 'Sec-Fetch-Site': 'same-origin' }, true],
  ['a page of ours in an older browser', 'POST', { Origin: 'https://service.example' }, true],
  ['another site', 'POST', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }, false],
  ['another site in an older browser', 'POST', { Origin: 'https://evil.example' }, false],
  ['a sub-domain', 'POST', { Origin: 'https://www.service.example', 'Sec-Fetch-Site': 'same-site' }, false],
  ['a sub-domain in an older browser', 'POST', { Origin: 'https://www.service.example' }, false],
  ['a name that begins like ours', 'POST', { Origin: 'https://service.example.evil.example' }, false],
  ['a name that ends like ours', 'POST', { Origin: 'https://evilservice.example' }, false],
  ['another port', 'POST', { Origin: 'https://service.example:8443' }, false],
  ['plain http', 'POST', { Origin: 'http://service.example' }, false],
  ['a sandboxed frame', 'POST', { Origin: 'null' }, false],
  ['an address bar', 'POST', { 'Sec-Fetch-Site': 'none' }, false],
  ['no origin', 'POST', {}, false],
  ['only a Referer', 'POST', { Referer: 'https://service.example/console' }, false],
  ['an origin that is none', 'POST', { Origin: 'service.example' }, false],
  ['PUT counts too', 'PUT', { Origin: 'https://evil.example' }, false],
  ['DELETE counts too', 'DELETE', { Origin: 'https://evil.example' }, false],
])('%s: %s', (_what, method, headers, allowed) => {
  expect(mayWrite(new Request('https://service.example/x', { method, headers }))).toBe(allowed)
})

test('where TLS ends before us, https outside is http here', () => {
  const headers = { Origin: 'https://service.example' }
  expect(mayWrite(new Request('http://service.example/x', { method: 'POST', headers }))).toBe(true)
})

const HTTPS = 'https://shop.lender.example/credit-reports'
/** The same mount behind something that ends TLS. */
const BEHIND = 'http://shop.lender.example/credit-reports'
const own = 'https://shop.lender.example'

const rows: [string, string, Record<string, string>, boolean][] = [
  ['the lender’s page in a browser of today', HTTPS, { Origin: own, 'Sec-Fetch-Site': 'same-origin' }, true],
  [
    'the same behind a proxy that rewrites Host',
    'http://10.0.0.5:3000/credit-reports',
    { Origin: own, 'Sec-Fetch-Site': 'same-origin' },
    true,
  ],
  ['an older browser, by Origin', HTTPS, { Origin: own }, true],
  ['an older browser where TLS ends earlier', BEHIND, { Origin: own }, true],
  ['plain HTTP in development', 'http://192.168.1.5:4200/credit-reports', { Origin: 'http://192.168.1.5:4200' }, true],
  ['an origin the lender named', HTTPS, { Origin: 'https://www.lender.example', 'Sec-Fetch-Site': 'same-site' }, true],
  ['an origin the lender named, in an older browser', HTTPS, { Origin: 'https://www.lender.example' }, true],
  ['a foreign page', HTTPS, { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }, false],
  ['a foreign page in an older browser', HTTPS, { Origin: 'https://evil.example' }, false],
  ['a neighbouring sub-domain', HTTPS, { Origin: 'https://blog.lender.example', 'Sec-Fetch-Site': 'same-site' }, false],
  ['a neighbouring sub-domain in an older browser', HTTPS, { Origin: 'https://blog.lender.example' }, false],
  ['a name that only begins alike', HTTPS, { Origin: 'https://shop.lender.example.evil.example' }, false],
  ['a name that only ends alike', HTTPS, { Origin: 'https://evilshop.lender.example' }, false],
  ['another port', HTTPS, { Origin: 'https://shop.lender.example:8443' }, false],
  ['a plain page writing to a secure mount', HTTPS, { Origin: 'http://shop.lender.example' }, false],
  ['an extension named like the shop', BEHIND, { Origin: 'chrome-extension://shop.lender.example' }, false],
  ['a sandboxed frame', HTTPS, { Origin: 'null' }, false],
  ['a sandboxed frame in a browser of today', HTTPS, { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }, false],
  ['two origins at once', HTTPS, { Origin: `${own}, https://evil.example` }, false],
  ['an origin with a path', HTTPS, { Origin: `https://evil.example/${own}` }, false],
  ['a typed address', HTTPS, { 'Sec-Fetch-Site': 'none' }, false],
  ['a value of the future', HTTPS, { Origin: own, 'Sec-Fetch-Site': 'same-party' }, false],
  ['a foreign page whose Origin was taken off', HTTPS, { 'Sec-Fetch-Site': 'cross-site' }, false],
  ['no page at all', HTTPS, {}, false],
]

test.each(rows)('below a mount: %s', (_who, url, headers, expected) => {
  const allowedOrigins = ['https://www.lender.example']
  expect(mayWrite({ method: 'POST', url: new URL(url), headers: new Headers(headers), allowedOrigins })).toBe(expected)
})
