// `npm run dev`: the sources themselves, and not what was built from them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './worker.ts'

test('it serves shop, preview and widget from their sources, with source maps, and leaves on Ctrl-C', async ({
  page,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'credit-report-dev-'))
  const child = spawn(process.execPath, ['scripts/dev.mjs'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', SHOP_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const shop = await addressOf(child)
    const modules: string[] = []
    page.on('response', (response) => modules.push(new URL(response.url()).pathname))
    await page.goto(shop)
    await expect(page.getByLabel('First name')).toBeVisible()
    expect(modules).toContain('/widget/element.tsx')
    expect(modules).toContain('/demo/shop/client.ts')
    expect(await (await fetch(`${shop}/widget/element.tsx`)).text()).toContain('sourceMappingURL=data:')
    await page.goto(`${shop}/preview`)
    await expect(page.frameLocator('iframe').first().getByLabel('First name')).toBeVisible()
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  }
})

function addressOf(child: ChildProcess): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`npm run dev has ended: ${printed}`)))
    child.stdout?.on('data', (text) => {
      printed += String(text)
      const address = /Shop +(http:\S+)/.exec(printed)?.[1]
      if (address) resolve(address)
    })
  })
}
