// Several devices with one link at the same moment: one charge, one report, three tries.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReportTimeline } from '../contract/report-timeline.ts'
import { environmentOf, onEachEngine } from '../testing/engines.ts'
import { type HostedService, startHosted } from '../testing/hosted-link.ts'

onEachEngine('one link', (place) => {
  let app: HostedService
  beforeAll(async () => {
    app = await startHosted(environmentOf(await place()))
  })
  afterAll(() => app.stop())

  test('a live link is charged once, however many browsers have opened it', async () => {
    const before = await app.captures()
    const { linkId, url } = await app.link({})
    const [one, two] = [app.device(url), app.device(url)]
    await Promise.all([one.open(), two.open()])
    // Both forms are sent at the same moment; both people, or the same one, hold a code.
    const begun = await Promise.all([one.check(), two.check({ firstName: 'Alex' })])
    const open = begun.filter(({ body }) => body.data?.status === 'authentication-required')
    expect(open.length).toBeGreaterThan(0)
    const code = await app.texted()
    const ended = await Promise.all(
      [one, two].map((device, index) => {
        const { body } = begun[index] ?? {}
        return body.data?.challenge ? device.code(body, code) : null
      }),
    )
    expect(ended.filter((each) => each?.body.data?.status === 'complete').length).toBeLessThanOrEqual(1)
    // One of them is through, or neither; after one is, the other check cannot be completed any more.
    for (const [index, device] of [one, two].entries()) {
      const again = await device.check(index === 1 ? { firstName: 'Casey' } : { firstName: 'Robin' })
      if ((await app.read(linkId)).status === 'complete') expect(again.status).toBe(410)
    }
    expect((await app.read(linkId)).status).toBe('complete')
    expect((await app.captures()) - before).toBe(1)
  })

  test('the timeline of its check says when it was made and opened', async () => {
    const { linkId, url } = await app.link({})
    app.time.nowMs += 1000
    const device = app.device(url)
    await device.open()
    const { data } = (await device.check()).body
    const { body } = await app.call(`GET /credit-reports/${data.creditReportId}/timeline`)
    const { events } = ReportTimeline.parse(body.data)
    expect(events[0]).toMatchObject({ type: 'link', outcome: 'made', says: `Link ${linkId} was made.` })
    expect(events.filter(({ type }) => type === 'link').map(({ outcome }) => outcome)).toEqual(['made', 'opened'])
  })

  test('checks that are allowed at once are charged once, of ten at the same moment', async () => {
    const before = await app.captures()
    const { linkId, url } = await app.link({})
    const devices = Array.from({ length: 10 }, () => app.device(url))
    await Promise.all(devices.map((device) => device.open()))
    const answers = await Promise.all(
      devices.map((device, index) => device.check({ lastName: 'Allow', firstName: `Sam${'abcdefghij'[index]}` })),
    )
    expect(answers.filter(({ body }) => body.data?.status === 'complete')).toHaveLength(1)
    expect((await app.captures()) - before).toBe(1)
    expect((await app.read(linkId)).status).toBe('complete')
  })

  test('thirty dates of birth at once are three tries', async () => {
    const { linkId, url } = await app.link()
    const one = app.device(url)
    await one.open()
    await one.check()
    const dates = Array.from({ length: 30 }, (_, index) => `1970-01-${String(index + 1).padStart(2, '0')}`)
    await Promise.all(dates.map((date) => app.device(url).giveBirth(date)))
    const sql = 'SELECT tries_left FROM hosted_link WHERE id = ?'
    expect(await app.database.first<{ tries_left: number }>(sql, linkId)).toEqual({ tries_left: 0 })
  })

  test('the same Idempotency-Key and body make one link, also at once; another body is refused', async () => {
    const key = { 'Idempotency-Key': 'a-key-of-the-shop' }
    const wanted = { externalReference: 'order-2' }
    const made = await Promise.all([1, 2, 3].map(() => app.call('POST /links', wanted, key)))
    expect(new Set(made.map(({ body }) => body.data.url)).size).toBe(1)
    const other = await app.call('POST /links', { externalReference: 'order-3' }, key)
    expect(other).toMatchObject({ status: 400, body: { code: 'validation-error' } })
  })

  test('a link that is revoked while a code is on its way ends in one of two ways', async () => {
    const before = await app.captures()
    const { linkId, url } = await app.link({})
    const device = app.device(url)
    await device.open()
    const { body } = await device.check()
    const code = await app.texted()
    const [done, revoked] = await Promise.all([device.code(body, code), app.call(`DELETE /links/${linkId}`)])
    expect(revoked.status).toBe(204)
    const isComplete = done.body.data?.status === 'complete'
    expect((await app.read(linkId)).status).toBe(isComplete ? 'complete' : 'revoked')
    expect((await app.captures()) - before).toBe(isComplete ? 1 : 0)
  })
})
