import { describe, expect, test } from 'vitest'
import { OAuthError, readTokenRequest } from './token-request.ts'

const FORM = 'application/x-www-form-urlencoded'
const grant = 'grant_type=client_credentials'

function ask(body: string, headers: { [name: string]: string } = {}) {
  const request = new Request('https://service.example/v1/oauth/token', {
    method: 'POST',
    headers: { 'Content-Type': FORM, ...headers },
    body,
  })
  return readTokenRequest(request)
}

const basicOf = (pair: string) => ({ Authorization: `Basic ${Buffer.from(pair).toString('base64')}` })

describe('a request is read as', () => {
  const acme = { clientId: 'acme', clientSecret: 's3cret', scopes: undefined }
  test.each<[string, string, { [name: string]: string }, object]>([
    ['credentials in the header', grant, basicOf('acme:s3cret'), acme],
    ['credentials in the body', `${grant}&client_id=acme&client_secret=s3cret`, {}, acme],
    ['a client that names itself twice', `${grant}&client_id=acme`, basicOf('acme:s3cret'), acme],
    ['a scheme in small letters and wide apart', grant, { Authorization: `basic   ${btoa('acme:s3cret')}` }, acme],
    ['a client of one letter', grant, basicOf('a:s'), { ...acme, clientId: 'a', clientSecret: 's' }],
    ['no secret at all', grant, basicOf('acme:'), { ...acme, clientSecret: '' }],
    ['a secret with colons', grant, basicOf('acme:a:b'), { ...acme, clientSecret: 'a:b' }],
    ['both halves encoded', grant, basicOf('a%3Ab:c+d%2B'), { ...acme, clientId: 'a:b', clientSecret: 'c d+' }],
    ['a secret that only looks encoded', grant, basicOf('acme:100%'), { ...acme, clientSecret: '100%' }],
    [
      'scopes with spaces between',
      `${grant}&scope=wallet++credit-reports+`,
      basicOf('acme:s3cret'),
      {
        ...acme,
        scopes: ['wallet', 'credit-reports'],
      },
    ],
    ['an empty scope, which is none', `${grant}&scope=`, basicOf('acme:s3cret'), acme],
    [
      'a form with a character set',
      grant,
      { ...basicOf('acme:s3cret'), 'Content-Type': `${FORM.toUpperCase()} ; charset=utf-8` },
      acme,
    ],
  ])('%s', async (_what, body, headers, expected) => {
    expect(await ask(body, headers)).toEqual(expected)
  })
})

describe('a request is refused', () => {
  const unknown = ['invalid_client', 401, 'unknown client or wrong secret'] as const
  const once = ['invalid_request', 400, 'give the credentials once, in the header or in the body'] as const
  const right = basicOf('acme:s3cret')
  test.each<[string, string, { [name: string]: string }, readonly [string, number, string]]>([
    [
      'without a form',
      grant,
      { ...right, 'Content-Type': 'text/plain' },
      ['invalid_request', 400, `the body must be ${FORM}`],
    ],
    ['without a grant type', 'scope=wallet', right, ['invalid_request', 400, 'grant_type is required']],
    ['with an empty grant type', 'grant_type=', right, ['invalid_request', 400, 'grant_type is required']],
    [
      'with another grant type',
      'grant_type=password',
      right,
      ['unsupported_grant_type', 400, 'grant_type must be client_credentials'],
    ],
    [
      'with a parameter given twice',
      `${grant}&scope=wallet&scope=wallet`,
      right,
      ['invalid_request', 400, 'scope must not be given more than once'],
    ],
    ['with a secret in both places', `${grant}&client_secret=s3cret`, right, once],
    ['with two clients', `${grant}&client_id=other`, right, once],
    ['without credentials', grant, {}, unknown],
    ['with a client alone', `${grant}&client_id=acme`, {}, unknown],
    ['with a secret alone', `${grant}&client_secret=s3cret`, {}, unknown],
    ['without a colon', grant, basicOf('acme'), unknown],
    ['without a client before the colon', grant, basicOf(':s3cret'), unknown],
    ['with a bearer token', grant, { Authorization: 'Bearer s3cret' }, unknown],
    ['with a client that no database takes', grant, basicOf('ac%00me:s3cret'), unknown],
  ])('%s', async (_what, body, headers, [error, status, message]) => {
    const refusal: OAuthError = await ask(body, headers).then(
      () => expect.fail('it was read'),
      (reason) => reason,
    )
    expect(refusal).toBeInstanceOf(OAuthError)
    expect(refusal).toMatchObject({ name: 'OAuthError', error, status, message })
    const challenge = { 'WWW-Authenticate': 'Basic realm="token", charset="UTF-8"' }
    expect(refusal.headers).toEqual(status === 401 ? challenge : {})
  })
})

test('a form of eight kilobytes is read, and not one byte more', async () => {
  const padded = (bytes: number) => `${grant}&pad=`.padEnd(bytes, 'a')
  expect(await ask(padded(8_192), basicOf('acme:s3cret'))).toMatchObject({ clientId: 'acme' })
  await expect(ask(padded(8_193), basicOf('acme:s3cret'))).rejects.toMatchObject({ code: 'payload-too-large' })
})

test('each error has its status', () => {
  const codes = [
    'invalid_request',
    'invalid_scope',
    'unsupported_grant_type',
    'invalid_client',
    'temporarily_unavailable',
  ] as const
  expect(codes.map((code) => new OAuthError(code, 'why').status)).toEqual([400, 400, 400, 401, 429])
})
