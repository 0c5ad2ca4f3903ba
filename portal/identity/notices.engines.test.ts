// Mails that a lender's people get without asking, on both engines.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSilentLog } from '../../service/log.ts'
import { environmentOf, onEachEngine } from '../../testing/engines.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import type { Mail, MailMessage } from './mail.ts'
import { createMembers } from './members.ts'
import { createNotices } from './notices.ts'

hashQuickly()

const LENDER = 'demo-lender'
const URL_OF_HOOK = 'https://shop.example/webhook?<b>'

onEachEngine('notices by mail', (place) => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService(environmentOf(await place()))
  })
  afterAll(() => service.stop())

  async function mails(about: string): Promise<MailMessage[]> {
    const all: MailMessage[] = await (await service.fetch(new Request(`${ORIGIN}/demo/mail`))).json()
    return all.filter(({ subject }) => subject.includes(about))
  }
  const setBalance = (credits: number) =>
    service.database.run('UPDATE wallet SET balance_credits = ? WHERE tenant_id = ?', credits, LENDER)
  const setAlert = (credits: number | null) =>
    service.database.run('UPDATE tenant SET low_balance_credits = ? WHERE id = ?', credits, LENDER)
  const notices = () => service.database.all('SELECT kind, about FROM mail_notice')

  test('a low balance is mailed once, and again when it was enough in between', async () => {
    await setBalance(9_000)
    await service.sweeper.sweep()
    expect(await notices()).toEqual([])

    await setAlert(10_000)
    await service.sweeper.sweep()
    await expect.poll(() => mails('balance is low')).toHaveLength(1)
    for (let round = 0; round < 3; round += 1) {
      service.time.nowMs += 3_600_000
      await service.sweeper.sweep()
    }
    const [mail, ...others] = await mails('balance is low')
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: SAM[0] })
    expect(mail?.text).toContain('£9.00. Your alert is set at £10.00.')

    await setBalance(10_000)
    await service.sweeper.sweep()
    expect(await notices()).toEqual([])
    await setBalance(100)
    await service.sweeper.sweep()
    await expect.poll(() => mails('balance is low')).toHaveLength(2)
    await setAlert(null)
    await service.sweeper.sweep()
    expect(await notices()).toEqual([])
  })

  test('a webhook counts as failing after five attempts, and is mailed once', async () => {
    const { database, time } = service
    await database.run(
      `INSERT INTO webhook_endpoint (id, tenant_id, url, wrapped_key, secrets, created_at_ms) VALUES ('hook', ?, ?, ?, ?, 1)`,
      LENDER,
      URL_OF_HOOK,
      new Uint8Array(1),
      new Uint8Array(1),
    )
    for (const id of ['event-1', 'event-2']) {
      await database.run(
        `INSERT INTO webhook_delivery
           (id, endpoint_id, tenant_id, type, payload, status, attempts, due_at_ms, queued_at_ms, last_outcome, created_at_ms)
         VALUES (?, 'hook', ?, 'wallet.low', '{}', 'queued', 4, ?, ?, 'http-503', ?)`,
        id,
        LENDER,
        time.nowMs + 1e9,
        time.nowMs,
        time.nowMs,
      )
    }
    await service.sweeper.sweep()
    expect(await notices()).toEqual([])
    await database.run('UPDATE webhook_delivery SET attempts = 5')
    await service.sweeper.sweep()
    await expect.poll(() => mails('not delivered')).toHaveLength(1)
    await service.sweeper.sweep()
    const [mail, ...others] = await mails('not delivered')
    expect(others).toEqual([])
    expect(mail?.text).toContain(`do not reach ${URL_OF_HOOK}.`)
    expect(mail?.text).toContain('The last answer: http-503.')

    await database.run(`UPDATE webhook_delivery SET status = 'delivered'`)
    await service.sweeper.sweep()
    expect(await notices()).toEqual([])
  })

  test('two processes mail once; what the mail server refused is tried again after ten minutes', async () => {
    const { database, time } = service
    const sent: string[] = []
    let isDown = true
    const mail: Mail = {
      async send({ to }) {
        if (isDown) throw new Error('the mail server is down')
        sent.push(to)
      },
    }
    const options = { database, clock: () => time.nowMs, log: createSilentLog(), mail, publicUrl: ORIGIN }
    const sweeps = [1, 2].map(() => createNotices({ ...options, members: createMembers({ database }) }))
    const round = () => Promise.all(sweeps.map((sweep) => sweep()))
    await setBalance(100)
    await setAlert(10_000)
    await round()
    isDown = false
    await round()
    expect(sent).toEqual([])
    time.nowMs += 600_000
    await round()
    await expect.poll(() => sent).toEqual([SAM[0]])
    time.nowMs += 600_000
    await round()
    expect(sent).toEqual([SAM[0]])
  })

  test('a sign-in from a browser that is not known is mailed to the person; the next one there is not', async () => {
    const browser = service.browser()
    const count = (await mails('New sign-in')).length
    await browser.signIn(...SAM, '/console')
    await expect.poll(() => mails('New sign-in')).toHaveLength(count + 1)
    expect((await mails('New sign-in'))[0]?.to).toBe(SAM[0])
    await browser.signIn(...SAM, '/console')
    await service.browser().signIn(...SAM, '/console')
    await expect.poll(() => mails('New sign-in')).toHaveLength(count + 2)
  })
})
