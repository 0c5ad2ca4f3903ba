import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { KeyList } from '../../kit/keys.ts'
import { createCookies } from './cookies.ts'
import { createKnownDevices, KNOWN_SECONDS } from './known-devices.ts'

const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
const time = { nowMs: Date.UTC(2026, 10, 15, 9) }

function browserOf(keys: KeyList) {
  const devices = createKnownDevices({ cookies: createCookies({ secure: true }), keys, clock: () => time.nowMs })
  const app = new Hono()
  app.get('/remember/:email', (context) => {
    devices.remember(context, context.req.param('email'))
    return context.body(null)
  })
  app.get('/known/:email', (context) => context.json(devices.isKnown(context, context.req.param('email'))))
  return {
    async remember(email: string): Promise<string> {
      const [cookie = ''] = (await app.request(`/remember/${email}`)).headers.getSetCookie()
      return cookie.split('=').slice(1).join('=').split(';')[0] ?? ''
    },
    async isKnown(email: string, value: string, name = '__Host-known'): Promise<boolean> {
      return (await app.request(`/known/${email}`, { headers: { Cookie: `${name}=${value}` } })).json()
    },
  }
}

test('a browser is known as whom it signed in as, and does not say whom', async () => {
  const { remember, isKnown } = browserOf([OLD])
  const value = await remember('sam@acme.example')
  expect(await isKnown('sam@acme.example', value)).toBe(true)
  expect(await isKnown('pat@acme.example', value)).toBe(false)
  expect(value).not.toMatch(/sam|acme/)
})

test('after half a year it is not, whatever the browser says', async () => {
  const { remember, isKnown } = browserOf([OLD])
  const value = await remember('sam@acme.example')
  const [endsAt = '', mark = ''] = value.split('.')
  time.nowMs += KNOWN_SECONDS * 1000
  expect(await isKnown('sam@acme.example', value)).toBe(false)
  expect(await isKnown('sam@acme.example', `${Number(endsAt) + 1}.${mark}`)).toBe(false)
})

test.each(['', '.', '9999999999', '9999999999.', 'Infinity.x', 'NaN.x', `9999999999.${'A'.repeat(43)}`])(
  '%j is no such cookie',
  async (value) => {
    expect(await browserOf([OLD]).isKnown('sam@acme.example', value)).toBe(false)
  },
)

test('a cookie that a sub-domain could have set does not count', async () => {
  const { remember, isKnown } = browserOf([OLD])
  expect(await isKnown('sam@acme.example', await remember('sam@acme.example'), 'known')).toBe(false)
})

test('it stays known while SECRET_KEY is replaced, and no longer', async () => {
  const value = await browserOf([OLD]).remember('sam@acme.example')
  expect(await browserOf([NEW, OLD]).isKnown('sam@acme.example', value)).toBe(true)
  expect(await browserOf([NEW]).isKnown('sam@acme.example', value)).toBe(false)
})
