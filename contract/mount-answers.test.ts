import { expect, test } from 'vitest'
import { PROXY_ERROR_STATUS } from './error.ts'
import { judgeAnswer, type SeenAnswer } from './mount-answers.ts'

const read: SeenAnswer = {
  asked: 'read',
  path: '/credit-reports/current',
  status: 200,
  redirectedTo: null,
  isHtml: false,
  json: { meta: { test: true, nonce: 'n1' }, data: { status: 'none' } },
  nonce: 'n1',
}
const write: SeenAnswer = {
  ...read,
  asked: 'write',
  path: '/credit-reports/steps',
  status: 400,
  json: { code: 'validation-error', message: 'step: is missing' },
}
const html = { isHtml: true, json: undefined }
const own = (code: string) => ({ json: { code, message: 'why' } })

const rows: [what: string, seen: SeenAnswer, code: string | null, words: RegExp][] = [
  ['the proxy', read, null, /^$/],
  ['the proxy, with a slash', { ...read, redirectedTo: 'https://shop.example/credit-reports/current/' }, null, /^$/],
  ['a cache', { ...read, nonce: 'n2' }, 'proxy-cached', /a cache or a service worker/],
  ['a fallback for pages', { ...read, ...html }, 'proxy-page', /GET .* answered with a page/],
  ['other JSON', { ...read, json: { data: {} } }, 'proxy-odd-answer', /answered 200/],
  ['a gateway', { ...read, ...html, status: 502 }, 'proxy-odd-answer', /answered 502/],
  ['a login', { ...read, ...html, status: 401 }, 'proxy-guarded', /refused with 401/],
  ['a login with our code', { ...read, ...own('unauthorized'), status: 401 }, 'proxy-guarded', /login/],
  [
    'a redirect to a login',
    { ...read, ...html, redirectedTo: 'https://shop.example/login?next=1' },
    'proxy-guarded',
    /redirected to https:\/\/shop\.example\/login, probably by a login/,
  ],
  ['a redirect that is not told', { ...read, ...html, redirectedTo: '' }, 'proxy-guarded', /redirected, probably/],
  [
    'a redirect to a locale',
    { ...read, ...html, redirectedTo: 'https://shop.example/en/credit-reports/current' },
    'proxy-prefixed',
    /redirected to \/en\/credit-reports\/current/,
  ],
  [
    'another redirect',
    { ...read, ...html, redirectedTo: 'https://shop.example/basket' },
    'proxy-redirected',
    /redirected to https:\/\/shop\.example\/basket/,
  ],
  ['nothing', { ...read, ...html, status: 404 }, 'proxy-not-mounted', /nothing is mounted there/],
  ['another mount', { ...read, ...own('not-found'), status: 404 }, 'proxy-not-mounted', /mounted at another path/],
  ['no credits', { ...read, ...own('insufficient-funds'), status: 402 }, 'wallet-empty', /wallet/],
  ['no service', { ...read, ...own('unavailable'), status: 503 }, 'service-away', /service/],
  ['a wrong option', { ...read, ...own('misconfigured'), status: 503 }, 'proxy-misconfigured', /every check: why/],
  ['an answer of its own that fits nothing', { ...read, ...own('validation-error') }, 'proxy-odd-answer', /validation/],
  ['the write', write, null, /^$/],
  ['the code', { ...write, ...own('credit-report-not-found'), status: 404 }, null, /^$/],
  ['the write, when there were many', { ...write, ...own('rate-limited'), status: 429 }, null, /^$/],
  [
    'CSRF protection, as JSON',
    { ...write, json: { error: 'csrf' }, status: 403 },
    'proxy-write-refused',
    /POST .* 403/,
  ],
  [
    'CSRF protection with a code of its own',
    { ...write, json: { code: 'EBADCSRFTOKEN', message: 'invalid csrf token' }, status: 403 },
    'proxy-write-refused',
    /CSRF/,
  ],
  ['CSRF protection, as a page', { ...write, ...html, status: 419 }, 'proxy-write-refused', /419/],
  ['a limit of the lender', { ...write, ...html, status: 429 }, 'proxy-limited', /429 by a limit in front/],
  ['a page for another host', { ...write, ...own('forbidden'), status: 403 }, 'page-refused', /another host/],
  ['an eaten body', { ...write, ...own('misconfigured'), status: 503 }, 'proxy-misconfigured', /why/],
  [
    'a write that is redirected with a slash',
    { ...write, redirectedTo: 'https://shop.example/credit-reports/steps/' },
    'proxy-redirected',
    /redirected/,
  ],
]
test.each(rows)('%s', (_what, seen, code, words) => {
  const isOwnCode = (given: string) => Object.hasOwn(PROXY_ERROR_STATUS, given)
  const found = judgeAnswer(seen, { endpoint: '/credit-reports', isOwnCode })
  expect(found?.code ?? null).toBe(code)
  expect(found?.problem ?? '').toMatch(words)
  expect(found?.fix ?? 'nothing.').toMatch(/\.$/)
})
