import { readFileSync } from 'node:fs'
import { validate } from '@readme/openapi-parser'
import { expect, test } from 'vitest'
import { PROXY_OPERATIONS, proxyDocument } from './proxy-document.ts'

const committed = JSON.parse(readFileSync(new URL('../docs/tenant-proxy.openapi.json', import.meta.url), 'utf8'))

test('tenant-proxy.openapi.json is what the schemas say; after a change run `npm run openapi`', () => {
  expect(committed).toEqual(JSON.parse(JSON.stringify(proxyDocument())))
})

test('it is valid OpenAPI', async () => {
  expect(await validate(structuredClone(committed))).toMatchObject({ valid: true })
})

test('it has every path that the proxy’s own page lists for browsers', () => {
  const page = readFileSync('docs/lender/tenant-proxy.md', 'utf8')
  const listed = [...page.matchAll(/^\| `(GET|POST|DELETE) \/credit-reports(\/[^`?]*)?/gm)]
    .map(([, method = '', path = '/']) => `${method.toLowerCase()} ${path.replace('{id}', '{creditReportId}')}`)
    .filter((route) => !/webhook|widget\.js|manifest\.json|doctor/.test(route))
  const described = Object.entries(PROXY_OPERATIONS).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  expect(described.toSorted()).toEqual(listed.toSorted())
})
