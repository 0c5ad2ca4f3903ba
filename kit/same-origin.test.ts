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
  ['nobody knows where from', 'POST', {}, false],
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
