import { expect, test } from 'vitest'
import { mayWrite } from './same-origin.ts'

const HERE = 'https://shop.lender.example/x'
/** The same page behind something that ends TLS. */
const BEHIND = 'http://shop.lender.example/x'
const own = 'https://shop.lender.example'
const named = 'https://www.lender.example'
const evil = 'https://evil.example'

type Row = [what: string, url: string, headers: { [name: string]: string }, allowed: boolean]

test.each<Row>([
  ['a page of ours', HERE, { Origin: own, 'Sec-Fetch-Site': 'same-origin' }, true],
  ['a page of ours in an older browser', HERE, { Origin: own }, true],
  ['behind a proxy that rewrites Host', 'http://10.0.0.5/x', { Origin: own, 'Sec-Fetch-Site': 'same-origin' }, true],
  ['an older browser where TLS ends earlier', BEHIND, { Origin: own }, true],
  ['plain HTTP in development', 'http://192.168.1.5:4200/x', { Origin: 'http://192.168.1.5:4200' }, true],
  ['an origin that was named', HERE, { Origin: named, 'Sec-Fetch-Site': 'same-site' }, true],
  ['an origin that was named, in an older browser', HERE, { Origin: named }, true],
  ['another site', HERE, { Origin: evil, 'Sec-Fetch-Site': 'cross-site' }, false],
  ['another site in an older browser', HERE, { Origin: evil }, false],
  ['another site whose Origin was taken off', HERE, { 'Sec-Fetch-Site': 'cross-site' }, false],
  ['another site that lies about Origin alone', HERE, { Origin: own, 'Sec-Fetch-Site': 'cross-site' }, false],
  ['a sub-domain', HERE, { Origin: 'https://blog.lender.example', 'Sec-Fetch-Site': 'same-site' }, false],
  ['a sub-domain in an older browser', HERE, { Origin: 'https://blog.lender.example' }, false],
  ['a name that begins like ours', HERE, { Origin: 'https://shop.lender.example.evil.example' }, false],
  ['a name that ends like ours', HERE, { Origin: 'https://evilshop.lender.example' }, false],
  ['another port', HERE, { Origin: 'https://shop.lender.example:8443' }, false],
  ['a plain page, to a secure one', HERE, { Origin: 'http://shop.lender.example' }, false],
  ['an extension named like us', BEHIND, { Origin: 'chrome-extension://shop.lender.example' }, false],
  ['a sandboxed frame', HERE, { Origin: 'null' }, false],
  ['two origins at once', HERE, { Origin: `${own}, ${evil}` }, false],
  ['an origin with a path', HERE, { Origin: `${evil}/${own}` }, false],
  ['an origin that is none', HERE, { Origin: 'shop.lender.example' }, false],
  ['an address bar', HERE, { 'Sec-Fetch-Site': 'none' }, false],
  ['a value of the future', HERE, { Origin: own, 'Sec-Fetch-Site': 'same-party' }, false],
  ['only a Referer', HERE, { Referer: `${own}/console` }, false],
])('%s', (_what, url, headers, allowed) => {
  const clues = { url: new URL(url), headers: new Headers(headers), allowedOrigins: [named] }
  expect(mayWrite({ method: 'POST', ...clues })).toBe(allowed)
})

test.each([
  ['GET', true],
  ['HEAD', true],
  ['PUT', false],
  ['DELETE', false],
])('%s from another site: %s', (method, allowed) => {
  expect(mayWrite({ method, url: HERE, headers: new Headers({ Origin: evil }) })).toBe(allowed)
})
