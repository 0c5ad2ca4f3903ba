// The page in the README of the lender's package, started as pasted, against the built service: served, and one check played.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltService, startBuiltService } from '../prove/cuts/built-service.ts'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { freePort } from '../testing/throwaway-postgres.ts'

const readme = readFileSync('packages/README-widget.md', 'utf8')
const POLLS_MAX = 2_400

let service: BuiltService
let folder: string
beforeAll(async () => {
  service = await startBuiltService()
  folder = mkdtempSync(join(tmpdir(), 'readme-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('packages/credit-report-widget'), join(folder, 'node_modules/credit-report-widget'))
})
afterAll(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true })
})

test('it serves the three tags and what they load, and a check ends with a report on the server', async () => {
  const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readme) ?? []
  writeFileSync(join(folder, 'server.mjs'), code)
  const port = await freePort()
  const credentials = { TENANT_ID: 'demo-lender', CLIENT_ID: 'demo-lender', CLIENT_SECRET: 'demo-secret' }
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    env: { ...process.env, ...credentials, CREDIT_SERVICE_URL: service.url, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  const origin = `http://localhost:${port}`
  try {
    await until(() =>
      fetch(origin).then(
        () => true,
        () => false,
      ),
    )
    const page = await fetch(origin)
    expect(page.headers.get('Content-Type')).toContain('text/html')
    const sources = [...(await page.text()).matchAll(/<script async src="([^"]+)"/g)].map(([, source = '']) => source)
    expect(sources).toHaveLength(2)
    for (const source of sources) expect((await fetch(new URL(source, origin))).status).toBe(200)

    const browser = createTestBrowser((request) => fetch(request), { origin })
    const begun = (await (await browser.generate()).json()).data
    const { challengeId } = begun.challenge
    const path = `/credit-reports/${begun.creditReportId}/otp-challenge`
    const ended = await (await browser.post(path, { challengeId, code: '123456' })).json()
    expect(ended.data.status).toBe('complete')
    await until(() => printed.includes(`report ${begun.creditReportId}`))
  } finally {
    child.kill('SIGTERM')
    await exited
  }
})

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    if (await isTrue()) return
    await sleep(50)
  }
  throw new Error('waited too long')
}
