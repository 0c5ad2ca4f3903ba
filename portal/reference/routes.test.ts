import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ORIGIN, startTestService, type TestService } from '../../testing/portal-service.ts'
import { readDocument } from './read-document.ts'
import { docsRoutes } from './routes.ts'

let service: TestService
let openApi: string
let page: string
beforeAll(async () => {
  service = await startTestService({ BUREAUS: 'north,south' })
  openApi = await (await ask('/openapi.json')).text()
  page = await (await ask('/docs')).text()
})
afterAll(() => service.stop())

async function ask(path: string): Promise<Response> {
  return service.fetch(new Request(ORIGIN + path))
}

test('the page has every operation of the document, each with a sample in four languages', () => {
  const operations = Object.values(readDocument(openApi).paths).flatMap((methods) => Object.values(methods))
  expect(operations.length).toBeGreaterThan(10)
  for (const { operationId } of operations) {
    const [, article = ''] = page.split(`<article class="operation" id="${operationId}">`)
    const languages = [...article.matchAll(/data-language="(\w+)"/g)].slice(0, 4).map(([, language]) => language)
    expect(languages).toEqual(['curl', 'JavaScript', 'Python', 'PHP'])
  }
})

test('it is that of this service: its address, its bureaus', () => {
  expect(page).toContain(`${ORIGIN}/demo-lender/v1/credit-reports`)
  expect(page).toContain('<code>north</code>')
  expect(page).not.toContain('equifax')
})

test('who opens the bare address of the service is led to the page', async () => {
  const response = await ask('/')
  expect(response.status).toBe(302)
  expect(response.headers.get('Location')).toBe('docs')
})

test('the page names each error an operation can answer with', () => {
  for (const code of ['challenge-expired', 'insufficient-funds', 'rate-limited']) expect(page).toContain(code)
  expect(page).not.toContain('$ref')
})

test('the policy allows the page’s own scripts, styles and requests and nothing else', async () => {
  const policy = (await ask('/docs')).headers.get('Content-Security-Policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("trusted-types 'none'")
  expect(policy).not.toContain('unsafe')
})

test('nothing in the markup is inline style or script, so the policy never bites', () => {
  expect(page).not.toMatch(/<[^>]* (?:style|on\w+)=|<style|<script>/)
})

describe('credentials', () => {
  test('of the demo are offered where the demo says so', () => {
    expect(page).toContain('value="demo-secret"')
  })

  test('elsewhere the fields are empty', async () => {
    const routes = docsRoutes({ openApi: () => openApi, publicClients: [] })
    const plain = await (await routes.request('/docs')).text()
    expect(plain).toContain('id="caller-secret"')
    expect(plain).not.toMatch(/-secret"[^>]* value="[^"]|caller-public/)
  })
})
