import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { addPerson, openLenders } from '../../testing/people.ts'
import { createGuesses } from './guesses.ts'
import { createOwnLogin } from './own-login.ts'
import { CODE_TRIES, createSecondFactor } from './second-factor.ts'
import { createSessions } from './sessions.ts'
import { createUsers } from './users.ts'

onEachEngine('the second factor', (place) => {
  const time = { nowMs: Date.UTC(2026, 10, 15, 9) }
  const clock = () => time.nowMs
  let database: Database

  beforeAll(async () => {
    database = await openLenders(await place())
  })
  afterAll(async () => {
    await database.close()
  })

  const newUser = () => addPerson(database, clock)

  const key = new Uint8Array(32).fill(3)
  const create = () =>
    createSecondFactor({
      database,
      clock,
      keys: [key],
      guesses: createGuesses({ database, clock }),
      issuer: 'https://a.example',
    })
  const codeOf = (secret: string, steps = 0) =>
    generateSync({ secret, epoch: Math.floor(time.nowMs / 1000) + steps * 30 })

  async function enrolled() {
    const factor = create()
    const user = await newUser()
    const enrolment = await factor.begin(database, user)
    if (enrolment === null) throw new Error('enrolled before')
    const confirmed = await factor.confirm(database, {
      userId: user.id,
      sessionId: '',
      code: codeOf(enrolment.secret),
    })
    if (!('recoveryCodes' in confirmed)) throw new Error('not confirmed')
    time.nowMs += 60_000
    return { factor, user, secret: enrolment.secret, recoveryCodes: confirmed.recoveryCodes }
  }

  test('is the one of RFC 6238', () => {
    // Appendix B: the secret 12345678901234567890 at 59 seconds, cut to six digits.
    expect(generateSync({ secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', epoch: 59 })).toBe('287082')
  })

  test('begins only when a code was confirmed, and then cannot be begun again', async () => {
    const factor = create()
    const user = await newUser()
    const enrolment = await factor.begin(database, user)
    expect(enrolment?.uri).toMatch(/^otpauth:\/\/totp\/.*secret=[A-Z2-7]{32}/)
    expect(await factor.pending(user)).toEqual(enrolment)
    expect(await factor.check(user.id, codeOf(enrolment?.secret ?? ''), 'session')).toEqual({ outcome: 'wrong' })
    const confirm = (code: string) => factor.confirm(database, { userId: user.id, sessionId: '', code })
    expect(await confirm('000000')).toEqual({ outcome: 'wrong' })
    expect(await confirm(codeOf(enrolment?.secret ?? ''))).toHaveProperty('recoveryCodes')
    expect(await factor.begin(database, user)).toBeNull()
    expect(await factor.pending(user)).toBeNull()
  })

  test.each([
    ['two steps ago', -2, 'wrong'],
    ['one step ago', -1, 'right'],
    ['now', 0, 'right'],
    ['one step ahead', 1, 'right'],
    ['two steps ahead', 2, 'wrong'],
  ])('the code of %s is %3$s', async (_when, steps, outcome) => {
    const { factor, user, secret } = await enrolled()
    expect(await factor.check(user.id, codeOf(secret, Number(steps)), 'session')).toEqual({ outcome })
  })

  test('a code counts once, also when tried twice at the same moment, and none before it counts after', async () => {
    const { factor, user, secret } = await enrolled()
    const tries = await Promise.all([1, 2, 3, 4].map(() => factor.check(user.id, codeOf(secret), 'session')))
    expect(tries.filter(({ outcome }) => outcome === 'right')).toHaveLength(1)
    expect(await factor.check(user.id, codeOf(secret, -1), 'session')).not.toEqual({ outcome: 'right' })
  })

  test('five tries, then nothing for five minutes, not even the right code', async () => {
    const { factor, user, secret } = await enrolled()
    for (let tries = 0; tries < 5; tries += 1)
      expect(await factor.check(user.id, '000000', 'session')).toEqual({ outcome: 'wrong' })
    expect(await factor.check(user.id, codeOf(secret), 'session')).toEqual({ outcome: 'wait', seconds: 300 })
    time.nowMs += CODE_TRIES.session.windowMs
    expect(await factor.check(user.id, codeOf(secret), 'session')).toEqual({ outcome: 'right' })
  })

  test('a stranger who knows the password uses up no try of the owner’s devices or session, codes or recovery codes', async () => {
    const { factor, user, secret, recoveryCodes } = await enrolled()
    const guess = () => factor.check(user.id, '000000', 'new device')
    for (let tries = 0; tries < CODE_TRIES['new device'].triesMax; tries += 1)
      expect(await guess()).toEqual({ outcome: 'wrong' })
    expect(await guess()).toEqual({ outcome: 'wait', seconds: 3_600 })
    expect(await factor.check(user.id, codeOf(secret), 'known device')).toEqual({ outcome: 'right' })
    expect(await factor.check(user.id, recoveryCodes[0] ?? '', 'known device')).toEqual({ outcome: 'right' })
    expect(await factor.check(user.id, recoveryCodes[1] ?? '', 'session')).toEqual({ outcome: 'right' })
    expect(await guess()).toMatchObject({ outcome: 'wait' })
  })

  test('turning it on ends every other session, and sign-ins in progress', async () => {
    const sessions = createSessions({ database, clock, hasOwnLogin: true })
    const login = createOwnLogin({ database, clock })
    const factor = create()
    const user = await newUser()
    await database.run(`UPDATE user_account SET password_hash = 'hash' WHERE id = ?`, user.id)
    const [mine, other] = [
      await sessions.open(database, { userId: user.id }),
      await sessions.open(database, { userId: user.id }),
    ]
    const stranger = await sessions.open(database, { userId: (await newUser()).id })
    const { checks } = await login.begin()
    await login.passPassword(checks.verifier, { id: user.id, passwordHash: 'hash' })
    const { secret = '' } = (await factor.begin(database, user)) ?? {}
    const confirm = (code: string) => factor.confirm(database, { userId: user.id, sessionId: mine.session.id, code })
    await confirm('000000')
    expect(await sessions.find(other.session.id)).not.toBeNull()
    expect(await confirm(codeOf(secret))).toHaveProperty('recoveryCodes')
    expect(await sessions.find(mine.session.id)).not.toBeNull()
    expect(await sessions.find(stranger.session.id)).not.toBeNull()
    expect(await sessions.find(other.session.id)).toBeNull()
    expect(await sessions.renew(other.refreshToken)).toBeNull()
    expect(await login.find(checks.verifier)).toBeNull()
  })

  test('each recovery code opens the door once, dashes and capitals aside', async () => {
    const { factor, user, recoveryCodes } = await enrolled()
    expect(new Set(recoveryCodes).size).toBe(10)
    const [first = '', second = ''] = recoveryCodes
    expect(await factor.check(user.id, first, 'session')).toEqual({ outcome: 'right' })
    expect(await factor.check(user.id, first, 'session')).toEqual({ outcome: 'wrong' })
    expect(await factor.check(user.id, ` ${second.replace('-', '').toUpperCase()} `, 'session')).toEqual({
      outcome: 'right',
    })
    const { factor: others, user: other } = await enrolled()
    expect(await others.check(other.id, recoveryCodes[2] ?? '', 'session')).toEqual({ outcome: 'wrong' })
  })

  test('is turned off with a code, and its recovery codes with it', async () => {
    const { factor, user, secret, recoveryCodes } = await enrolled()
    expect(await factor.disable(database, user.id, '000000')).toEqual({ outcome: 'wrong' })
    expect(await factor.disable(database, user.id, codeOf(secret))).toEqual({ outcome: 'right' })
    expect(await factor.check(user.id, recoveryCodes[0] ?? '', 'session')).toEqual({ outcome: 'wrong' })
    expect((await createUsers({ database, clock }).find(user.id))?.totpEnabled).toBe(false)
  })

  test('neither secrets nor recovery codes are in the database', async () => {
    const { user, secret, recoveryCodes } = await enrolled()
    const rows = JSON.stringify([
      await database.all('SELECT * FROM user_account WHERE id = ?', user.id),
      await database.all('SELECT * FROM user_recovery_code WHERE user_id = ?', user.id),
    ])
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))]) {
      expect(rows).not.toContain(text)
    }
  })
})
