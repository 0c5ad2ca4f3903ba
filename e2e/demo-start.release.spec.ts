// `npm start` as a developer types it: what it prints, what it does when a port is taken, how it ends.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack, stopStack } from './stack-process.ts'
import { test as base, expect } from './worker.ts'

const test = base.extend<{ dataDir: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from its first argument
  dataDir: async ({}, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'credit-report-start-'))
    await use(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  },
})

function occupyPort(): Promise<{ server: Server; port: number }> {
  return new Promise((resolve) => {
    const server = createServer().listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address()
      resolve({ server, port: typeof address === 'object' && address ? address.port : 0 })
    })
  })
}

test('it prints where everything is, answers there, and leaves with code 0 on Ctrl-C', async ({ dataDir }) => {
  const { child, stack, printed } = await startStack({ DATA_DIR: dataDir })
  expect(printed()).toContain(`Preview        ${stack.shop}/preview`)
  expect((await fetch(stack.shop)).status).toBe(200)
  expect((await fetch(`${stack.service}/healthz`)).status).toBe(200)
  expect(await stopStack(child)).toBe(0)
  await expect(fetch(stack.shop)).rejects.toThrow()
  await expect(fetch(`${stack.service}/healthz`)).rejects.toThrow()
})

test('a page that is still listening does not keep it from leaving', async ({ dataDir }) => {
  const { child, stack } = await startStack({ DATA_DIR: dataDir })
  const stream = await fetch(`${stack.shop}/preview/stream`)
  expect(stream.status).toBe(200)
  expect(await stopStack(child)).toBe(0)
})

test('ports that are taken are named, and others are used', async ({ dataDir }) => {
  const taken = [await occupyPort(), await occupyPort()] as const
  const [service, shop] = taken.map(({ port }) => String(port)) as [string, string]
  const { child, stack, printed } = await startStack({ DATA_DIR: dataDir, PORT: service, SHOP_PORT: shop })
  expect(printed()).toContain(`Port ${service} is taken, so the service uses`)
  expect(printed()).toContain(`Port ${shop} is taken, so the shop uses`)
  expect((await fetch(stack.shop)).status).toBe(200)
  await stopStack(child)
  for (const { server } of taken) server.close()
})

test('a setting that makes no sense is one clear line', async ({ dataDir }) => {
  const attempt = startStack({ DATA_DIR: dataDir, SHOP_PORT: 'shop' })
  await expect(attempt).rejects.toThrow(/npm start: SHOP_PORT: expected a whole number from 0 to 65535, got "shop"/)
})

test('a service that cannot start says why, in its own words', async ({ dataDir }) => {
  const attempt = startStack({ DATA_DIR: dataDir, CHALLENGE_TTL_SECONDS: 'soon' })
  await expect(attempt).rejects.toThrow(/CHALLENGE_TTL_SECONDS: expected a whole number/)
})

test('a second demo on the same data says so and harms nothing', async ({ dataDir }) => {
  const first = await startStack({ DATA_DIR: dataDir })
  await expect(startStack({ DATA_DIR: dataDir })).rejects.toThrow(/DATA_DIR|another process|already/i)
  expect((await fetch(`${first.stack.service}/readyz`)).status).toBe(200)
  await stopStack(first.child)
})

test('the service does not outlive a demo that was killed', async ({ dataDir }) => {
  const { child, stack } = await startStack({ DATA_DIR: dataDir })
  child.kill('SIGKILL')
  await expect
    .poll(() =>
      fetch(`${stack.service}/healthz`).then(
        () => 'answers',
        () => 'gone',
      ),
    )
    .toBe('gone')
})

for (const [script, address] of [
  ['start', /Shop +(http:\S+)/],
  ['service', /"url":"(http:[^"]+)"/],
] as const) {
  test(`npm run ${script}: ending npm ends what it started`, async ({ dataDir }) => {
    const npm = spawn('npm', ['run', script], {
      env: { ...process.env, DATA_DIR: dataDir, PORT: '0', SHOP_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const url = await new Promise<string>((resolve) => {
      let printed = ''
      npm.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
        const found = address.exec(printed)?.[1]
        if (found !== undefined) resolve(found)
      })
    })
    expect((await fetch(url)).status).toBeLessThan(500)
    npm.kill('SIGTERM')
    const isGone = () =>
      fetch(url).then(
        () => 'answers',
        () => 'gone',
      )
    await expect.poll(isGone).toBe('gone')
  })
}
