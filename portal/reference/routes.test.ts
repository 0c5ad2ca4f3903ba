import { expect, test } from 'vitest'
import { readDocument } from './read-document.ts'
import { docsRoutes } from './routes.ts'

const withTryIt = docsRoutes({ tryIt: true })
const without = docsRoutes({ tryIt: false })

test('the page has every operation of the document', async () => {
  const page = await (await withTryIt.request('/docs')).text()
  const operations = Object.values(readDocument().paths).flatMap((methods) => Object.values(methods))
  expect(operations.length).toBeGreaterThan(10)
  for (const { operationId } of operations) expect(page).toContain(`<article class="operation" id="${operationId}">`)
})

test('who opens the bare address of the service is led to the page', async () => {
  const response = await without.request('/')
  expect(response.status).toBe(302)
  expect(response.headers.get('Location')).toBe('docs')
})

test('the page names each error an operation can answer with', async () => {
  const page = await (await withTryIt.request('/docs')).text()
  for (const code of ['challenge-expired', 'insufficient-funds', 'rate-limited']) expect(page).toContain(code)
  expect(page).not.toContain('$ref')
})

test('with try-it, the policy allows the page’s own script and requests and nothing else', async () => {
  const policy = (await withTryIt.request('/docs')).headers.get('Content-Security-Policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toContain('unsafe')
})

test('without try-it there is no form, no script and no seeded secret', async () => {
  const response = await without.request('/docs')
  const page = await response.text()
  expect(page).not.toMatch(/<form|<script|demo-secret/)
  expect(response.headers.get('Content-Security-Policy')).not.toContain('script-src')
  expect((await without.request('/docs/try-it.js')).status).toBe(404)
})

test('nothing in the markup is inline style or script, so the policy never bites', async () => {
  const page = await (await withTryIt.request('/docs')).text()
  expect(page).not.toMatch(/ style=| on\w+=|<style|<script>/)
})
