// One hostile page, opened in a browser of any make, and what must be true afterwards.
import { expect } from '@playwright/test'
import type { HostilePage, Scripted } from './hostile-pages.ts'
import { pageWith, plainTag, REGISTER, sessionsOf } from './page.ts'
import type { Case, Stage } from './servers.ts'

export async function meetHostilePage(
  page: Scripted & { goto(address: string): Promise<unknown> },
  row: HostilePage,
  { scene, stage }: { scene: Case; stage: Stage },
): Promise<void> {
  const { before = REGISTER, tag = plainTag, after = '', profiled = true, errors, also } = row
  const html = pageWith(before + tag(scene.device) + after)
  await page.goto(scene.serve(html, row.headers?.(new URL(scene.device).origin)))

  await expect.poll(() => page.evaluate('calls.length')).toBe(1)
  await also?.(page, scene)
  const sessions = sessionsOf(row.asksAt ? stage.direct : scene)
  expect(await page.evaluate('calls')).toEqual([{ sessionId: sessions.at(-1)?.sessionId }])
  expect(sessions).toHaveLength(1)
  expect(sessions[0]?.profiled).toBe(profiled)
  expect(await page.evaluate('violations')).toEqual(
    errors?.test('Content Security Policy') ? ['connect-src', 'connect-src'] : [],
  )
}
