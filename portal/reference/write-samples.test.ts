import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type SampleRequest, writeSamples } from './write-samples.ts'

const body = { name: "O'Neill \\ Söhne $x", test: true, none: null, list: [{ count: 1 }], empty: [] }
const request: SampleRequest = {
  method: 'POST',
  url: "https://service.example/it's/v1",
  contentType: 'application/json',
  body: JSON.stringify(body, null, 2),
  auth: 'token',
}
const sampleIn = (language: keyof ReturnType<typeof writeSamples>, given = request) => writeSamples(given)[language]

test('curl sends the body as it is', () => {
  const script = `curl() { printf '%s\\n' "$@" | tail -n +2 > /dev/null; for last; do :; done; printf '%s' "$last"; }\n${sampleIn('curl')}`
  expect(JSON.parse(execFileSync('sh', ['-c', script], { encoding: 'utf8' }))).toEqual(body)
})

test('JavaScript sends the body and the token', async () => {
  const run = new Function('fetch', 'token', `return (async () => { ${sampleIn('JavaScript')}\nreturn answer })()`)
  const sent = await run((url: string, init: RequestInit) => ({ json: () => ({ url, ...init }) }), 'T')
  expect(sent).toMatchObject({ url: request.url, method: 'POST', headers: { Authorization: 'Bearer T' } })
  expect(JSON.parse(sent.body)).toEqual(body)
})

test('Python and PHP write values as their languages do', () => {
  expect(sampleIn('Python')).toContain('"test": True,')
  expect(sampleIn('Python')).toContain('"none": None,')
  expect(sampleIn('PHP')).toContain(`'name' => 'O\\'Neill \\\\ Söhne $x',`)
  expect(sampleIn('PHP')).toContain(`'empty' => [],`)
})

test('a client sends its secret, and a form goes as a form', () => {
  const form: SampleRequest = {
    ...request,
    contentType: 'application/x-www-form-urlencoded',
    body: 'grant_type=client_credentials',
    auth: 'client',
  }
  expect(sampleIn('curl', form)).toContain(`-u "$CLIENT_ID:$CLIENT_SECRET"`)
  expect(sampleIn('Python', form)).toContain('auth=(client_id, client_secret),')
  expect(sampleIn('PHP', form)).toContain(`CURLOPT_POSTFIELDS => 'grant_type=client_credentials'`)
})
