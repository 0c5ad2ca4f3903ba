import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { createWebhookSecret, readWebhookSecret, signWebhook, verifyWebhook } from './webhook-signature.ts'

const SECRET = createWebhookSecret()
const OLDER = createWebhookSecret()
const body = new TextEncoder().encode('{"type":"credit-report.completed","data":{"externalReference":"Zoë"}}')
const NOW_MS = 1_800_000_000_000

function signed(secrets: readonly string[] = [SECRET], timestampSeconds = NOW_MS / 1000) {
  return { headers: new Headers(signWebhook(secrets, { id: 'msg_1', timestampSeconds, body })), body }
}

describe('a receiver with the published package', () => {
  const now = { id: 'msg_1', timestampSeconds: Math.floor(Date.now() / 1000), body }

  test.each([
    ['one secret', [SECRET]],
    ['a secret that is being replaced', [OLDER, SECRET]],
  ])('believes what is signed here with %s', (_what, secrets) => {
    expect(new Webhook(SECRET).verify(Buffer.from(body), signWebhook(secrets, now))).toMatchObject({
      type: 'credit-report.completed',
    })
  })

  test('believes nothing signed with another secret', () => {
    expect(() => new Webhook(SECRET).verify(Buffer.from(body), signWebhook([OLDER], now))).toThrow('No matching')
  })

  test('signs what is believed here', () => {
    const signature = new Webhook(SECRET).sign('msg_1', new Date(NOW_MS), Buffer.from(body))
    const headers = new Headers({
      'webhook-id': 'msg_1',
      'webhook-timestamp': `${NOW_MS / 1000}`,
      'webhook-signature': signature,
    })
    expect(verifyWebhook([SECRET], { headers, body }, NOW_MS)).toBe('genuine')
  })
})

describe('a verdict', () => {
  const changed = (header: string, value: string | null) => {
    const { headers } = signed()
    if (value === null) headers.delete(header)
    else headers.set(header, value)
    return { headers, body }
  }
  const tampered = { headers: signed().headers, body: new TextEncoder().encode('{}') }

  test.each([
    ['the secret of now', signed(), 'genuine'],
    ['the secret of before, while both are valid', signed([OLDER]), 'genuine'],
    ['an unknown secret', signed([createWebhookSecret()]), 'forged'],
    ['another body', tampered, 'forged'],
    ['another id', changed('webhook-id', 'msg_2'), 'forged'],
    ['a signature of another version', changed('webhook-signature', 'v1a,AAAA'), 'forged'],
    [
      'a signature behind seven others',
      changed('webhook-signature', `${'v1,AAAA '.repeat(7)}${signed().headers.get('webhook-signature')}`),
      'genuine',
    ],
    [
      'a signature behind eight others',
      changed('webhook-signature', `${'v1,AAAA '.repeat(8)}${signed().headers.get('webhook-signature')}`),
      'forged',
    ],
    ['a later timestamp than was signed', changed('webhook-timestamp', `${NOW_MS / 1000 + 1}`), 'forged'],
    ['no id', changed('webhook-id', null), 'unsigned'],
    ['no timestamp', changed('webhook-timestamp', null), 'unsigned'],
    ['a timestamp that is no number', changed('webhook-timestamp', '1e9'), 'unsigned'],
    ['no signature', changed('webhook-signature', null), 'unsigned'],
    ['exactly five minutes ago', signed([SECRET], NOW_MS / 1000 - 300), 'genuine'],
    ['a second longer ago', signed([SECRET], NOW_MS / 1000 - 301), 'untimely'],
    ['exactly five minutes ahead', signed([SECRET], NOW_MS / 1000 + 300), 'genuine'],
    ['a clock ten minutes off', signed([SECRET], NOW_MS / 1000 + 600), 'untimely'],
  ])('%s', (_what, message, expected) => {
    expect(verifyWebhook([SECRET, OLDER], message, NOW_MS)).toBe(expected)
  })

  test('without any secret nothing is genuine', () => {
    expect(verifyWebhook([], signed(), NOW_MS)).toBe('forged')
  })
})

describe('a secret', () => {
  test('is 32 bytes, and never the same twice', () => {
    expect(readWebhookSecret(SECRET)).toHaveLength(32)
    expect(SECRET).not.toBe(OLDER)
  })

  test.each([24, 64])('may have %i bytes', (bytes) => {
    expect(readWebhookSecret(`whsec_${Buffer.alloc(bytes).toString('base64')}`)).toHaveLength(bytes)
  })

  test.each([
    ['without its prefix', SECRET.slice('whsec_'.length)],
    ['of 23 bytes', `whsec_${Buffer.alloc(23).toString('base64')}`],
    ['of 65 bytes', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['that is not base64', `whsec_${'*'.repeat(44)}`],
    ['that is empty', 'whsec_'],
  ])('%s is refused', (_what, text) => {
    expect(readWebhookSecret(text)).toBeNull()
    expect(() => signWebhook([text], { id: 'msg_1', timestampSeconds: 0, body })).toThrow(
      'whsec_ and the base64 of 24 to 64 bytes',
    )
  })
})
