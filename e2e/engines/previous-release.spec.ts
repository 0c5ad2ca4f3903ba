// Two releases, made as CONTRIBUTING.md says: the second is built from changed sources with the tarball of the first
// (`build.mjs --previous`). A page of the first finishes its check on a server of the second.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { openBooks } from '../faults/ledger.ts'
import { startFront } from '../lender/web-server.ts'
import { findFreePort } from '../program.ts'
import { startServiceProcess } from '../service-process.ts'
import { createConsumer } from '../widget-pages/stage.ts'
import { createLenderProject, type LenderProject, PROJECT_LIMIT_MS } from './lender-project.ts'

test.describe.configure({ timeout: PROJECT_LIMIT_MS, retries: 0 })

const SERVER = ['node.mjs', 'credit-report-proxy.mjs']
const NOT_SOURCES = ['node_modules', 'dist', '.git', '.data', 'test-results']
/** The chunk that a page fetches last: when a part of the report is opened that few people open. */
const isHelpChunk = (name: string) => /^help\.[\w-]{10}\.js$/.test(name)

/**
 * The repository with other words and another style of the report, built and assembled with the chunks of `tarball`.
 */
function releaseAgain(folder: string, tarball: string): void {
  const filter = (path: string) => !NOT_SOURCES.includes(path.split('/').at(-1) ?? '')
  for (const name of readdirSync('.').filter(filter)) cpSync(name, join(folder, name), { recursive: true, filter })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const words = join(folder, 'widget/report/strings.ts')
  const changed = readFileSync(words, 'utf8').replace('Your credit report', 'Your new credit report')
  writeFileSync(words, changed)
  appendFileSync(join(folder, 'widget/report/help/help.css'), '.of-next-release { color: inherit; }')
  execFileSync(process.execPath, ['scripts/build.mjs', '--previous', tarball], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

// It builds everything a second time: only when `npm run engines` asks.
for (const name of process.env.EVERY_ENGINE === '1' ? ['a page of the release before finishes its check'] : [])
  test(name, async ({ page }) => {
    const folder = mkdtempSync(join(tmpdir(), 'next-release-'))
    const service = await startServiceProcess({ RATE_LIMIT_PER_MINUTE: '100000' })
    const projects: LenderProject[] = []

    async function serve(home: string): Promise<{ origin: string; project: LenderProject }> {
      const project = createLenderProject(SERVER, [], { home })
      projects.push(project)
      const port = String(await findFreePort())
      const origin = `http://localhost:${port}`
      const credentials = { CLIENT_ID: 'demo-lender', CLIENT_SECRET: 'demo-secret' }
      await project.serve('node', ['node.mjs'], origin, { CREDIT_SERVICE_URL: service.url, ...credentials, PORT: port })
      return { origin, project }
    }
    const chunksOf = ({ folder: home }: LenderProject) =>
      readdirSync(join(home, 'node_modules/credit-report-widget/dist/widget')).filter(isHelpChunk)

    try {
      const before = await serve('.')
      const tarball = readdirSync(before.project.folder).find((file) => file.endsWith('.tgz')) ?? ''
      releaseAgain(folder, join(before.project.folder, tarball))
      const after = await serve(folder)
      // Other bytes under another name, and the old ones beside them.
      expect(chunksOf(after.project)).not.toEqual(chunksOf(before.project))
      for (const name of chunksOf(before.project))
        expect((await fetch(`${after.origin}/credit-reports/${name}`)).status).toBe(200)

      const front = await startFront(before.origin)
      const books = await openBooks(service.url, (isSo) => expect.poll(isSo).toBe(true))
      const consumer = createConsumer(page, front)
      await page.goto(front.page())
      await consumer.giveDetails({ 'UK mobile number': books.mobileNumber })
      await consumer.giveAddress()
      await consumer.agree()
      await consumer.seeHeading('Check your phone')
      front.upstream = after.origin
      await consumer.giveCode(await books.newestCode())
      await consumer.seeHeading('Your credit report')
      await page.getByText('If something is wrong').click()
      await expect(page.getByText('Check again: companies trade under other names')).toBeVisible()
      await page.reload()
      await consumer.seeHeading('Your new credit report')
      await front.close()
    } finally {
      for (const project of projects) await project.remove()
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
