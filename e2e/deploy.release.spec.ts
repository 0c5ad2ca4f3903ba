// A new version is deployed while a consumer is in the middle of a check: their page goes on with the chunks it knows.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './lender/stage.ts'
import { type Program, startProgram } from './program.ts'
import { CODE } from './widget-pages/stage.ts'

const isChunk = (name: string) => /^(?!module-)[\w-]+\.[\w-]{10}\.js$/.test(name)
let folder: string
let deployed: Program

test.beforeEach(async ({ lender: { service } }) => {
  folder = mkdtempSync(join(tmpdir(), 'deployed-widget-'))
  const [current, previous] = [join(folder, 'current'), join(folder, 'previous')]
  cpSync('dist/widget', current, { recursive: true })
  mkdirSync(previous)
  for (const name of readdirSync(current).filter(isChunk)) renameSync(join(current, name), join(previous, name))
  deployed = await startProgram({
    script: 'e2e/lender/lender.mjs',
    env: { SERVICE_URL: service.url, WIDGET_FILES: current, PREVIOUS_FILES: previous },
    address: /lender: (http:\S+)/,
  })
})
test.afterEach(async ({ front, lender: { proxy } }) => {
  front.upstream = proxy.url
  await deployed.end()
  rmSync(folder, { recursive: true })
})

test('the page finishes its check with the files of the version before', async ({ consumer, front }) => {
  await consumer.open()
  await consumer.toCode()
  front.upstream = deployed.url
  front.seen.length = 0
  await consumer.giveCode(CODE)
  await consumer.seeHeading('Your credit report')
  await consumer.widget.locator('summary', { hasText: 'What the words mean' }).click()
  await expect(consumer.widget).toContainText('A company that keeps records of how people borrow and repay.')
  expect(front.seen.filter(({ path }) => /\/help\./.test(path)).length).toBeGreaterThan(0)
})
