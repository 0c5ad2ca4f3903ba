// Every journey of the preview's table, by hand: what the matrix plays with a script, a person plays here.
import { journeys, openJourney, playJourney } from './journeys.ts'
import { findOddWords } from './odd-words.ts'
import { expect, test } from './stack.ts'

for (const journey of journeys) {
  test(`${journey.group}: ${journey.title}`, async ({ page }, { workerIndex }) => {
    const { ends } = journey
    const heard = await openJourney(page, journey, `${journey.id}-${workerIndex}`)
    await playJourney(page, journey, heard)
    await expect(page.getByRole('heading', { name: ends.heading })).toBeVisible({ timeout: 30_000 })
    await expect.poll(() => heard.map(({ name }) => name)).toEqual(ends.events)
    expect(heard.find(({ name }) => name === 'error')?.detail.code).toBe(ends.errorCode)
    expect(await findOddWords(page.locator('credit-report-widget'))).toEqual([])
    if (ends.records !== undefined) await expect.poll(() => countAccounts(page)).toBe(ends.records)
  })
}

/** Each account appears once in full. */
function countAccounts(page: import('@playwright/test').Page): Promise<number> {
  return page.locator('credit-report-widget [part=account]').count()
}

test('the table holds every scenario on every branch, and every refusal of the interface', () => {
  const ids = journeys.map(({ id }) => id)
  for (const scenario of ['test001', 'test002', 'test003', 'test004', 'default']) {
    for (const branch of ['allow', 'challenge', 'block']) expect(ids).toContain(`${scenario}-${branch}`)
  }
  const wanted = [
    ...['wrong-1', 'wrong-2', 'wrong-3', 'resend-1', 'resend-2', 'expired'],
    ...['insufficient-funds', 'insufficient-credits', 'rate-limited', 'unauthorized', 'forbidden'],
    ...['credit-report-not-found', 'challenge-not-found'],
    ...['offline', 'slow', 'malformed', 'fingerprint-blocked'],
  ]
  expect(ids).toEqual(expect.arrayContaining(wanted))
  expect(new Set(ids).size).toBe(ids.length)
})
