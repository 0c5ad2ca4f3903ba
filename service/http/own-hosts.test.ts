import { expect, test } from 'vitest'
import { refuseOtherHosts } from './own-hosts.ts'

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
