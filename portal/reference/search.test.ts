import { expect, test } from 'vitest'
import documentText from '../../docs/openapi.json?raw'
import { readReference, renderPage } from './page.ts'
import { rank } from './search.js'
import { listEntries } from './search-entries.ts'

const reference = readReference(documentText)
const entries = listEntries(reference)

test.each([
  ['rate limit', '/docs/guides#error-rate-limited'],
  ['postcode', '/docs/credit-reports#generateCreditReport'],
  ['token', '/docs/sign-in-and-tokens#createToken'],
  ['generate', '/docs/credit-reports#generateCreditReport'],
  ['resend', '/docs/credit-reports#resendSms'],
  ['smsSentCount', '/docs/credit-reports#resendSms'],
  ['wallet.low', '/docs/webhooks#onWalletLow'],
  ['Retry-After', '/docs/guides#header-Retry-After'],
  ['insufficient', '/docs/guides#error-insufficient-funds'],
  ['deprecation twelve', '/docs/guides#versions-and-deprecation'],
  ['  WEBHOOKS ', '/docs/webhooks'],
])('%s leads to %s first', (typed, href) => {
  expect(rank(entries, typed)[0]?.href).toBe(href)
})

test('every word must be found, and nothing is found for none', () => {
  expect(rank(entries, 'token xyzzy')).toEqual([])
  expect(rank(entries, ' — ')).toEqual([])
})

test('each address that is found has its place on its page', async () => {
  const pages = new Map<string, string>()
  for (const { href } of entries) {
    const { pathname, hash } = new URL(href, 'http://localhost')
    const name = pathname.slice('/docs/'.length)
    const page = pages.get(name) ?? String(await renderPage(reference, name, { publicClients: [], links: [] }))
    pages.set(name, page)
    expect(page, href).toContain(hash ? `id="${hash.slice(1)}"` : '<h1>')
  }
})
