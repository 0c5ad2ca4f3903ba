import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_STATUS } from '../../contract/error.ts'
import { operationsOf } from '../../openapi/operation.ts'
import { ORIGIN, startTestService, type TestService } from '../../testing/portal-service.ts'
import { allRows } from '../rows.ts'
import { type DocumentOperation, readDocument } from './read-document.ts'
import { docsRoutes } from './routes.ts'

let service: TestService
let openApi: string
/** By their addresses. */
let pages: Map<string, string>
/** All of them. */
let page: string
beforeAll(async () => {
  service = await startTestService({ BUREAUS: 'north,south' })
  openApi = await (await ask('/openapi.json')).text()
  const start = await (await ask('/docs')).text()
  pages = new Map([['/docs', start]])
  for (const [, path = ''] of start.matchAll(/<h2><a href="(\/docs\/[\w-]+)"/g)) {
    pages.set(path, await (await ask(path)).text())
  }
  page = [...pages.values()].join('')
})
afterAll(() => service.stop())

async function ask(path: string): Promise<Response> {
  return service.fetch(new Request(ORIGIN + path))
}

function articleOf(id: string): string {
  return page.split(`<article class="operation" id="${id}">`)[1]?.split('</article>')[0] ?? ''
}

test('the page has every operation a lender can call, each with a sample in four languages and a form', () => {
  const operations = Object.values(readDocument(openApi).paths).flatMap((methods) => Object.values(methods))
  const isByClient = ({ security = [] }: DocumentOperation) =>
    security.some((scheme) => 'oauth' in scheme || 'clientSecret' in scheme)
  const byClients = operations.filter(isByClient)
  expect(byClients.length).toBeGreaterThanOrEqual(10)
  for (const { operationId } of byClients) {
    const languages = [...articleOf(operationId).matchAll(/data-language="(\w+)"/g)].map(([, language]) => language)
    expect(languages).toEqual(['curl', 'JavaScript', 'Python', 'PHP'])
    expect(articleOf(operationId)).toContain('<form class="try"')
  }
  const others = operations.filter((operation) => !isByClient(operation)).map(({ operationId }) => operationId)
  const shown = others.filter((id) => articleOf(id) !== '')
  const forPeople = Object.entries(operationsOf(allRows))
    .filter(([, { rule }]) => rule.who === 'member')
    .map(([id]) => id)
  expect(shown.toSorted()).toEqual(
    ['getProfile', 'getFingerprintScript', 'getPinnedFingerprintScript', ...forPeople].toSorted(),
  )
  for (const id of shown) expect(articleOf(id)).not.toMatch(/data-language|<form/)
})

test('every event of the document is there with its payload, and their headers once', () => {
  const events = Object.entries(readDocument(openApi).webhooks)
  expect(events.length).toBeGreaterThan(5)
  for (const [type, { post }] of events) {
    expect(articleOf(post.operationId)).toContain(`&quot;type&quot;: &quot;${type}&quot;`)
  }
  expect(page.split('<code>webhook-signature</code> <small>')).toHaveLength(2)
})

test('every error code is there with its status, and every header with its meaning', () => {
  for (const [code, status] of Object.entries(ERROR_STATUS))
    expect(page).toContain(`<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td>${status}</td>`)
  for (const name of Object.keys(readDocument(openApi).components.headers))
    expect(page).toContain(`<tr id="header-${name}"><th scope="row"><code>${name}</code></th>`)
  expect(articleOf('submitOtp')).toContain('<code>X-Challenge-Expires-In</code>')
})

test('credentials are given once, and only what every grant needs is required', () => {
  const [token = ''] = articleOf('createToken').split('<h3>Answers')
  const samples = articleOf('createToken').split('<section class="samples"')[1]
  expect(samples).toContain('-u &quot;$CLIENT_ID:$CLIENT_SECRET&quot;')
  expect(samples).not.toContain('client_secret')
  expect([...token.matchAll(/<code>(\w+)<\/code> <small>[^<]* <b>required/g)].map(([, name]) => name)).toEqual([
    'grant_type',
  ])
})

test('it is compressed, and sent once to a browser that keeps it', async () => {
  const headers = { 'Accept-Encoding': 'br' }
  for (const path of ['/docs', '/docs/wallet', '/docs/search.json', '/docs/docs.css', '/docs/reference.js']) {
    const first = await service.fetch(new Request(ORIGIN + path, { headers }))
    expect(first.headers.get('Content-Encoding')).toBe('br')
    const again = { ...headers, 'If-None-Match': first.headers.get('ETag') ?? '' }
    expect((await service.fetch(new Request(ORIGIN + path, { headers: again }))).status).toBe(304)
  }
})

test('llms.txt names every page for lenders, by its title, and each is served as it is written', async () => {
  const list = await (await ask('/llms.txt')).text()
  const links = [...list.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, title = '', path = '']) => ({ title, path }))
  const pages = readdirSync('docs/lender').filter((name) => name !== 'README.md')
  expect(links.map(({ path }) => path)).toEqual(expect.arrayContaining(pages.map((name) => `docs/lender/${name}`)))
  for (const { title, path } of links) {
    const answer = await ask(`/${path}`)
    expect(answer.headers.get('Content-Type'), path).toBe('text/markdown; charset=utf-8')
    const isAgents = path === 'AGENTS.md'
    const text = readFileSync(isAgents ? 'packages/AGENTS-widget.md' : path, 'utf8')
    expect(await answer.text()).toBe(text)
    if (!isAgents) expect(title).toBe(text.split('\n', 1)[0]?.slice('# '.length))
  }
})

test.each(['/docs/lender/nothing.md', '/docs/operator/settings.md', '/docs/lender/..%2f..%2fREADME.md'])(
  '%s is no page for lenders',
  async (path) => {
    expect((await ask(path)).status).toBe(404)
  },
)

test('it is that of this service: its address, its bureaus', () => {
  expect(page).toContain(`${ORIGIN}/demo-lender/v1/credit-reports`)
  expect(page).toContain('<code>north</code>')
  expect(page).not.toContain('equifax')
})

test('every page leads to all others and marks itself', () => {
  expect(pages.size).toBeGreaterThan(10)
  for (const [path, markup] of pages) {
    const menu = markup.split('<ul id="pages">')[1]?.split('</nav>')[0] ?? ''
    expect([...menu.matchAll(/<a href="([^"]+)" aria-current="page">/g)].map(([, href]) => href)).toEqual([path])
    for (const other of pages.keys()) expect(menu).toContain(`<a href="${other}"`)
  }
})

test('the start leads to the token first, and an address of before there were pages to its line', () => {
  const start = pages.get('/docs') ?? ''
  expect(start.split('<ol class="calls">')[1]).toMatch(/^\s*<li><a href="\/docs\/sign-in-and-tokens#createToken">/)
  for (const id of ['createToken', 'onWalletLow', 'errors'])
    expect(start).toMatch(new RegExp(`<li id="${id}"><a href="/docs/[\\w-]+#${id}">`))
})

test.each(['/docs/nothing', '/docs/operations'])('%s is no page of the reference', async (path) => {
  expect((await ask(path)).status).toBe(404)
})

test('who opens the bare address of the service is led to the page', async () => {
  const response = await ask('/')
  expect(response.status).toBe(302)
  expect(response.headers.get('Location')).toBe('docs')
})

test('the policy allows the page’s own scripts, styles and requests and nothing else', async () => {
  const policy = (await ask('/docs/wallet')).headers.get('Content-Security-Policy') ?? ''
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
    const routes = docsRoutes({ openApi: () => openApi, publicClients: [], links: [] })
    const plain = await (await routes.request('/docs/wallet')).text()
    expect(plain).toContain('id="caller-secret"')
    expect(plain).not.toMatch(/-secret"[^>]* value="[^"]|caller-public/)
  })
})
