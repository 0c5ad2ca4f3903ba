import { expect, test } from 'vitest'
import { refuseOtherHosts } from './node-server.ts'

test.each([
  ['http://localhost:4100/metrics', 200],
  ['http://127.0.0.1:4100/metrics', 200],
  ['http://[::1]:4100/metrics', 200],
  ['http://shop.localhost:4100/demo/sms', 200],
  ['http://reports.example/healthz', 200],
  ['http://evil.example:4100/demo/sms', 403],
  ['http://localhost.evil.example:4100/metrics', 403],
  ['http://127.0.0.1.evil.example/metrics', 403],
])('on a loopback address, %s is answered %i', async (url, status) => {
  const fetch = refuseOtherHosts(() => new Response('ok'), 'https://reports.example')
  expect((await fetch(new Request(url))).status).toBe(status)
})

test('a foreign name is answered with what to set, and reaches no route', async () => {
  let asked = 0
  const fetch = refuseOtherHosts(() => {
    asked += 1
    return new Response('ok')
  }, 'https://reports.example')
  const response = await fetch(new Request('http://evil.example:4100/metrics'))
  expect(await response.json()).toEqual({
    code: 'forbidden',
    message: 'this service does not answer under that name; set PUBLIC_URL to it',
  })
  expect(asked).toBe(0)
})

test('what Node says about the request is passed on', async () => {
  const env = { incoming: {} }
  let passed: object | undefined
  const fetch = refuseOtherHosts((_request, given) => {
    passed = given
    return new Response('ok')
  }, 'https://reports.example')
  await fetch(new Request('http://localhost:4100/'), env)
  expect(passed).toBe(env)
})
