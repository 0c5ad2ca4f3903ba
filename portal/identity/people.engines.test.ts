import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { addPerson, openLenders } from '../../testing/people.ts'
import { createGuesses } from './guesses.ts'
import { join as joinTenant } from './members.ts'
import { CODE_MS, CODES_PER_PASSWORD, createOwnLogin } from './own-login.ts'
import { createSessions, IDLE_MS, REPETITION_MS, SESSION_MS } from './sessions.ts'
import { createUsers } from './users.ts'

onEachEngine('people', (place) => {
  const time = { nowMs: Date.UTC(2026, 10, 15, 9) }
  const clock = () => time.nowMs
  let database: Database

  beforeAll(async () => {
    database = await openLenders(await place())
  })
  afterAll(async () => {
    await database.close()
  })

  const newUser = (email?: string) => addPerson(database, clock, email)

  describe('users', () => {
    test('have one account however they write their address', async () => {
      const users = createUsers({ database, clock })
      const user = await newUser('Person@Example.org')
      expect(user.email).toBe('person@example.org')
      expect(await users.create(database, { ...user, tenantIds: [] })).toBeNull()
      expect(await users.findByEmail(` ${user.email.toUpperCase()} `)).toEqual(user)
    })

    test('select only what they belong to', async () => {
      const users = createUsers({ database, clock })
      const user = await newUser()
      expect(await users.selectTenant(user.id, 'globex')).toBeNull()
      expect(await users.selectTenant(user.id, 'no-one')).toBeNull()
      expect(await users.selectTenant(user.id, 'acme')).toEqual({ id: 'acme', name: 'ACME' })
      const sessions = createSessions({ database, clock, hasOwnLogin: true })
      const { session } = await sessions.open(database, { userId: user.id })
      expect((await sessions.find(session.id))?.selectedTenantId).toBe('acme')
      await joinTenant(database, { tenantId: 'globex', userId: user.id, role: 'support', nowMs: 1 })
      expect(await users.listTenants(user.id)).toEqual([
        { id: 'acme', name: 'ACME', role: 'owner', secondFactorRequired: false },
        { id: 'globex', name: 'GLOBEX', role: 'support', secondFactorRequired: false },
      ])
    })

    test('who come from another provider are linked by an address it vouches for, and by nothing less', async () => {
      const users = createUsers({ database, clock })
      const user = await newUser()
      const login = { issuer: 'https://id.example', subject: user.id }
      expect(await users.findByLogin({ ...login, verifiedEmail: null })).toBeNull()
      expect((await users.findByLogin({ ...login, verifiedEmail: user.email }))?.id).toBe(user.id)
      // From now on it is the subject that counts, whatever the address becomes.
      expect((await users.findByLogin({ ...login, verifiedEmail: 'other@example.org' }))?.id).toBe(user.id)
      const other = { issuer: 'https://other.example', subject: login.subject }
      // A recycled address: the provider gave it to another person.
      expect(await users.findByLogin({ ...login, subject: 'recycled', verifiedEmail: user.email })).toBeNull()
      expect(await users.findByLogin({ ...other, verifiedEmail: null })).toBeNull()
    })
  })

  describe('sessions', () => {
    test('are renewed by their newest refresh token', async () => {
      const sessions = createSessions({ database, clock, hasOwnLogin: true })
      const { id: userId } = await newUser()
      const { session, refreshToken } = await sessions.open(database, { userId })
      expect(await sessions.find(session.id)).toMatchObject({ userId, tenantIds: ['acme'], roles: { acme: 'owner' } })
      const renewed = await sessions.renew(refreshToken)
      expect(renewed).toEqual({ session, refreshToken: expect.any(String) })
      expect(renewed?.refreshToken).not.toBe(refreshToken)
    })

    test('an old refresh token ends the whole family', async () => {
      const sessions = createSessions({ database, clock, hasOwnLogin: true })
      const { session, refreshToken: first } = await sessions.open(database, { userId: (await newUser()).id })
      const second = (await sessions.renew(first))?.refreshToken ?? ''
      time.nowMs += REPETITION_MS + 1
      expect(await sessions.renew(first)).toBeNull()
      expect(await sessions.renew(second)).toBeNull()
      expect(await sessions.find(session.id)).toBeNull()
    })

    test('one from long ago does so too', async () => {
      const sessions = createSessions({ database, clock, hasOwnLogin: true })
      const { session, refreshToken: first } = await sessions.open(database, { userId: (await newUser()).id })
      const second = (await sessions.renew(first))?.refreshToken ?? ''
      const third = (await sessions.renew(second))?.refreshToken ?? ''
      time.nowMs += REPETITION_MS + 1
      expect(await sessions.renew(first)).toBeNull()
      expect(await sessions.renew(third)).toBeNull()
      expect(await sessions.find(session.id)).toBeNull()
    })

    test('two tabs at once: one gets the next token, both stay signed in', async () => {
      const sessions = createSessions({ database, clock, hasOwnLogin: true })
      const { session, refreshToken } = await sessions.open(database, { userId: (await newUser()).id })
      const renewals = await Promise.all(Array.from({ length: 5 }, () => sessions.renew(refreshToken)))
      expect(renewals.every((renewal) => renewal?.session.id === session.id)).toBe(true)
      const given = renewals.flatMap((renewal) => renewal?.refreshToken ?? [])
      expect(given).toHaveLength(1)
      expect(await sessions.renew(given[0] ?? '')).not.toBeNull()
    })

    test('end when asked, by either token, and after twelve hours in any case', async () => {
      const sessions = createSessions({ database, clock, hasOwnLogin: true })
      const { id: userId } = await newUser()
      const [one, two, three] = [
        await sessions.open(database, { userId }),
        await sessions.open(database, { userId }),
        await sessions.open(database, { userId }),
      ]
      await sessions.end(database, { id: one.session.id })
      await sessions.end(database, { refreshToken: two.refreshToken })
      for (const { session, refreshToken } of [one, two]) {
        expect(await sessions.find(session.id)).toBeNull()
        expect(await sessions.renew(refreshToken)).toBeNull()
      }
      // Used every quarter of an hour, as a browser renews it.
      const endsAtMs = time.nowMs + SESSION_MS
      let renewed = await sessions.renew(three.refreshToken)
      while (time.nowMs + IDLE_MS / 2 < endsAtMs) {
        time.nowMs += IDLE_MS / 2
        renewed = await sessions.renew(renewed?.refreshToken ?? '')
      }
      time.nowMs = endsAtMs - 1
      renewed = await sessions.renew(renewed?.refreshToken ?? '')
      expect(renewed?.session.expiresAtMs).toBe(three.session.expiresAtMs)
      time.nowMs += 1
      expect(await sessions.renew(renewed?.refreshToken ?? '')).toBeNull()
      expect(await sessions.find(three.session.id)).toBeNull()
    })

    test('end after half an hour without use; each use counts', async () => {
      const sessions = createSessions({ database, clock, hasOwnLogin: true })
      const { id: userId } = await newUser()
      const { session, refreshToken } = await sessions.open(database, { userId })
      for (let use = 0; use < 3; use += 1) {
        time.nowMs += IDLE_MS - 1
        expect(await sessions.find(session.id)).not.toBeNull()
      }
      time.nowMs += IDLE_MS
      expect(await sessions.find(session.id)).toBeNull()
      expect(await sessions.renew(refreshToken)).toBeNull()
    })

    test.each(['', 'x', '0'.repeat(43), "' OR 1=1 --"])('%j is no refresh token', async (token) => {
      expect(await createSessions({ database, clock, hasOwnLogin: true }).renew(token)).toBeNull()
    })
  })

  describe('guesses', () => {
    test('a clock that was ahead and has been put right locks no one out', async () => {
      const guesses = createGuesses({ database, clock })
      const limit = { triesMax: 1, windowMs: 60_000 }
      time.nowMs += 365 * 86_400_000
      await guesses.take('ahead', limit)
      expect(await guesses.take('ahead', limit)).toBe(60)
      time.nowMs -= 365 * 86_400_000
      expect(await guesses.take('ahead', limit)).toBeNull()
      expect(await guesses.take('ahead', limit)).toBe(60)
    })

    test('however many come at once, no more get through than may', async () => {
      const guesses = createGuesses({ database, clock })
      const limit = { triesMax: 5, windowMs: 60_000 }
      const waits = await Promise.all(Array.from({ length: 40 }, () => guesses.take('burst', limit)))
      expect(waits.filter((wait) => wait === null)).toHaveLength(5)
      expect(waits.filter((wait) => wait === 60)).toHaveLength(35)
      time.nowMs += 60_000
      expect(await guesses.take('burst', limit)).toBeNull()
    })
  })

  describe('a sign-in', () => {
    const login = () => createOwnLogin({ database, clock })

    /** Someone with a password, whose sign-in has just begun. */
    async function begun() {
      const user = { ...(await newUser()), passwordHash: 'hash' }
      await database.run('UPDATE user_account SET password_hash = ? WHERE id = ?', user.passwordHash, user.id)
      const { checks } = await login().begin()
      return { user, checks }
    }
    const answerOf = (checks: Awaited<ReturnType<typeof begun>>['checks']) =>
      new URL(login().callbackOf(checks), 'https://a.example').search
    const enable = (userId: string) =>
      database.run('UPDATE user_account SET totp_enabled_at_ms = 1 WHERE id = ?', userId)

    test('is finished once, however many come at once', async () => {
      const { user, checks } = await begun()
      expect(await login().passPassword(checks.verifier, user)).toEqual({ userId: user.id, isProven: true })
      const answers = await Promise.all([1, 2, 3, 4].map(() => login().finish(answerOf(checks), checks)))
      expect(answers.filter((answer) => answer !== null)).toEqual([{ userId: user.id }])
      expect(await login().finish(answerOf(checks), checks)).toBeNull()
    })

    test('is finished within a minute of its last proof, or not at all', async () => {
      const { user, checks } = await begun()
      await login().passPassword(checks.verifier, user)
      time.nowMs += CODE_MS - 1
      // The form sent twice: the same code, with time of its own.
      await login().passPassword(checks.verifier, user)
      time.nowMs += CODE_MS
      expect(await login().finish(answerOf(checks), checks)).toBeNull()
    })

    test('waits for the second factor of those who have one, and judges five codes, however many come at once', async () => {
      const { user, checks } = await begun()
      await enable(user.id)
      expect(await login().passPassword(checks.verifier, user)).toEqual({ userId: user.id, isProven: false })
      const tries = await Promise.all(Array.from({ length: 12 }, () => login().takeCodeTry(checks.verifier)))
      expect(tries.filter((each) => each !== null)).toHaveLength(CODES_PER_PASSWORD)
      expect(tries.filter((each) => each?.isLast)).toHaveLength(1)
      expect(await login().finish(answerOf(checks), checks)).toBeNull()
    })

    test('a second factor proves its own person alone', async () => {
      const [{ user: one, checks }, { user: other }] = [await begun(), await begun()]
      for (const { id } of [one, other]) await enable(id)
      await login().passPassword(checks.verifier, one)
      await login().passPassword(checks.verifier, other)
      await login().passCode(checks.verifier, one.id)
      expect(await login().finish(answerOf(checks), checks)).toBeNull()
    })

    test('is over when the password is changed or reset, even while it is being checked', async () => {
      const users = createUsers({ database, clock })
      const { user, checks } = await begun()
      await login().passPassword(checks.verifier, user)
      await users.changePassword(database, { userId: user.id, passwordHash: 'next', sessionId: '' })
      expect(await login().finish(answerOf(checks), checks)).toBeNull()
      expect(await login().passPassword(checks.verifier, user)).toBeNull()
      const next = { ...user, passwordHash: 'next' }
      await login().passPassword(checks.verifier, next)
      await database.transaction((queries) => users.close(queries, user.email))
      expect(await login().find(checks.verifier)).toBeNull()
      await users.setPassword(database, { userId: user.id, passwordHash: 'last' })
      await login().passPassword(checks.verifier, { ...user, passwordHash: 'last' })
      await users.remove(database, user.email)
      expect(await login().find(checks.verifier)).toBeNull()
    })

    test('leaves nothing in the database that could finish it', async () => {
      const { user, checks } = await begun()
      await login().passPassword(checks.verifier, user)
      const rows = JSON.stringify(await database.all('SELECT * FROM sign_in_attempt'))
      const code = new URLSearchParams(answerOf(checks)).get('code') ?? ''
      for (const secret of [checks.verifier, checks.state, code]) expect(rows).not.toContain(secret)
    })
  })
})
