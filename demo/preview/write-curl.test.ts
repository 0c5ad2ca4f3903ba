import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { writeCurl } from './write-curl.ts'

const exchange = {
  method: 'POST',
  url: 'http://localhost:4100/demo-lender/v1/credit-reports',
  request: {
    headers: [
      ['authorization', 'Bearer …'],
      ['content-type', 'application/json'],
      ['user-agent', 'node'],
    ] as [string, string][],
    body: `{"lastName":"O'Brien $HOME \`id\`"}`,
  },
}

test('the command names method, headers that matter, and body', () => {
  expect(writeCurl(exchange)).toBe(
    [
      `curl 'http://localhost:4100/demo-lender/v1/credit-reports' \\`,
      '  -X POST \\',
      '  -H "Authorization: Bearer $TOKEN" \\',
      `  -H 'content-type: application/json' \\`,
      `  --data-raw '{"lastName":"O'\\''Brien $HOME \`id\`"}'`,
    ].join('\n'),
  )
})

test('a shell reads the body exactly as it was sent', () => {
  const command = writeCurl(exchange).replace(/^curl/, 'printf "%s\\n"')
  const words = execFileSync('sh', ['-c', command], { env: { TOKEN: 'abc' }, encoding: 'utf8' }).split('\n')
  expect(words).toContain(exchange.request.body)
  expect(words).toContain('Authorization: Bearer abc')
})

test('a hidden client secret is a variable to fill in', () => {
  const body = 'grant_type=client_credentials&client_id=demo-lender&client_secret=…'
  const command = writeCurl({ ...exchange, request: { headers: [], body } }).replace(/^curl/, 'printf "%s\\n"')
  const words = execFileSync('sh', ['-c', command], { env: { CLIENT_SECRET: 'a b' }, encoding: 'utf8' }).split('\n')
  expect(words).toContain('grant_type=client_credentials&client_id=demo-lender&client_secret=a b')
})

test('a request without a body or headers is one line', () => {
  const request = { headers: [] as [string, string][], body: '' }
  expect(writeCurl({ method: 'GET', url: 'http://a/', request })).toBe(`curl 'http://a/'`)
})
