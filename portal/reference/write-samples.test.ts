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
  isAnswered: true,
  sets: {},
}
const sampleIn = (language: keyof ReturnType<typeof writeSamples>, given = request) => writeSamples(given)[language]

test('curl sends the body as it is', () => {
  expect(JSON.parse(lastArgument(sampleIn('curl')))).toEqual(body)
})

/** Runs the sample with a curl that prints what it would send. */
function lastArgument(sample: string, environment: { [name: string]: string } = {}): string {
  const curl = `curl() { for last; do :; done; printf '%s' "$last"; }`
  return execFileSync('bash', ['-c', `${curl}\n${sample}`], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  })
}

test('JavaScript sends the body and the token', async () => {
  const run = new Function(
    'fetch',
    'token',
    `return (async () => { return ${sampleIn('JavaScript').replace(/^console.log/, '')} })()`,
  )
  const sent = await run(async (url: string, init: RequestInit) => ({ json: () => ({ url, ...init }) }), 'T')
  expect(sent).toMatchObject({ url: request.url, method: 'POST', headers: { Authorization: 'Bearer T' } })
  expect(JSON.parse(sent.body)).toEqual(body)
})

test('Python and PHP write values as their languages do', () => {
  expect(sampleIn('Python')).toContain('"test": True,')
  expect(sampleIn('Python')).toContain('"none": None,')
  expect(sampleIn('PHP')).toContain(`'name' => 'O\\'Neill \\\\ Söhne $x',`)
  expect(sampleIn('PHP')).toContain(`'empty' => [],`)
})

const form: SampleRequest = {
  ...request,
  contentType: 'application/x-www-form-urlencoded',
  body: 'grant_type=client_credentials',
  auth: 'client',
}

test('a client sends its secret once, and a form goes as a form', () => {
  expect(sampleIn('curl', form)).toContain(`-u "$CLIENT_ID:$CLIENT_SECRET"`)
  expect(sampleIn('JavaScript', form)).toContain('btoa(`')
  expect(sampleIn('Python', form)).toContain('auth=(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]),')
  expect(sampleIn('PHP', form)).toContain(`CURLOPT_POSTFIELDS => 'grant_type=client_credentials'`)
})

test('an answer without a body is its status', () => {
  const remove = { ...request, method: 'DELETE', body: undefined, contentType: undefined, isAnswered: false }
  expect(sampleIn('JavaScript', remove)).toContain('.then((response) => response.status)')
  expect(sampleIn('Python', remove)).toContain(').status_code')
  expect(sampleIn('PHP', remove)).toContain('CURLINFO_RESPONSE_CODE')
})

test('what one sample gets, the next one sends', () => {
  const generate: SampleRequest = {
    ...request,
    sets: { creditReportId: ['data', 'creditReportId'], challengeId: ['data', 'challenge', 'challengeId'] },
  }
  const javaScript = sampleIn('JavaScript', generate)
  expect(javaScript).toMatch(/^const \{ data: \{ creditReportId, challenge: \{ challengeId \} \} \} = await fetch/)
  expect(sampleIn('JavaScript', { ...form, sets: { token: ['access_token'] } })).toMatch(
    /^const \{ access_token: token \} =/,
  )
  const submit = {
    ...request,
    url: 'https://a.example/{creditReportId}/otp',
    body: '{ "challengeId": "{challengeId}" }',
  }
  expect(sampleIn('JavaScript', submit)).toContain(`https://a.example/\${creditReportId}/otp\``)
  expect(sampleIn('JavaScript', submit)).toContain('JSON.stringify({ "challengeId": challengeId })')
  expect(sampleIn('Python', submit)).toContain('f"https://a.example/{credit_report_id}/otp"')
  expect(sampleIn('Python', submit)).toContain('"challengeId": challenge_id,')
  expect(sampleIn('PHP', submit)).toContain(`'https://a.example/' . $creditReportId . '/otp'`)
  expect(sampleIn('PHP', submit)).toContain(`'challengeId' => $challengeId,`)
  expect(JSON.parse(lastArgument(sampleIn('curl', submit), { CHALLENGE_ID: 'c 1' }))).toEqual({ challengeId: 'c 1' })
})
