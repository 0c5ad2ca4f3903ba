import { expect, test } from 'vitest'
import { hashPassword, matchesPassword, problemOfNewPassword, WAITING_MAX } from './password.ts'

test('a password opens its own hash and no other', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
  expect(hash).not.toBe(await hashPassword('correct horse'))
  expect(await matchesPassword('correct horse', hash)).toBe(true)
  for (const wrong of ['', 'correct horsE', 'correct horse ', hash]) {
    expect(await matchesPassword(wrong, hash)).toBe(false)
  }
})

test('where there is no hash no password is right, not even after as much work', async () => {
  expect(await matchesPassword('anything', null)).toBe(false)
})

test('the same letters typed another way are the same password', async () => {
  expect(await matchesPassword('caf\u00e9', await hashPassword('cafe\u0301'))).toBe(true)
})

test('many at once wait their turn and all get their own answer', async () => {
  const hash = await hashPassword('right')
  const answers = await Promise.all(
    ['right', 'wrong', 'right', 'wrong', 'right'].map((word) => matchesPassword(word, hash)),
  )
  expect(answers).toEqual([true, false, true, false, true])
})

/** As quick to check as a hash can be: what is counted here is who waits. */
const QUICK = `scrypt$2$1$1$${'A'.repeat(22)}$${'A'.repeat(43)}`

test('past a full queue one is sent away at once', async () => {
  const asked = Array.from({ length: 2 + WAITING_MAX + 3 }, () => matchesPassword('x', QUICK))
  const answers = await Promise.allSettled(asked)
  const refused = answers.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(3)
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } })
  expect(await matchesPassword('x', QUICK)).toBe(false)
})

test('strangers who fill the queue leave those who have signed in before a queue of their own, which goes first', async () => {
  const finished: string[] = []
  const check = (who: string, isKnown: boolean) =>
    matchesPassword('x', QUICK, { isKnown }).then(() => finished.push(who))
  const strangers = Array.from({ length: 2 + WAITING_MAX }, () => check('stranger', false))
  await expect(check('stranger', false)).rejects.toMatchObject({ code: 'unavailable' })
  const known = Array.from({ length: WAITING_MAX }, () => check('known', true))
  await expect(check('known', true)).rejects.toMatchObject({ code: 'unavailable' })
  await Promise.all([...strangers, ...known])
  // The two that were running, then everyone known, then the strangers who wait. Two run at once, so the first
  // strangers may overtake the last who is known; in one queue, all of them would.
  expect(finished.lastIndexOf('known')).toBeLessThan(2 + 1.5 * WAITING_MAX)
})

test('a caller who has gone is not checked and leaves the queue', async () => {
  const gone = Array.from({ length: WAITING_MAX }, () => new AbortController())
  const running = [matchesPassword('x', QUICK), matchesPassword('x', QUICK)]
  const left = gone.map(({ signal }) => matchesPassword('x', QUICK, { signal }))
  for (const controller of gone) controller.abort()
  const next = matchesPassword('x', QUICK)
  const answers = await Promise.allSettled(left)
  expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
  await Promise.all(running)
  expect(await next).toBe(false)
})

test('a damaged hash is a bug, not a wrong password', async () => {
  await expect(matchesPassword('x', 'md5$abc')).rejects.toThrow('unreadable')
})

const KEYS = '\u{1f511}\u{1f512}\u{1f513}\u{1f514}\u{1f515}\u{1f516}'

test.each([
  ['eleven', 'kvpzm wqjxt', false],
  ['twelve', 'kvpzm wqjxtr', true],
  ['twelve digits', '839201774652', true],
  ['twelve that take two code units each', KEYS.repeat(2), true],
  ['eleven that take two', KEYS.repeat(2).slice(2), false],
  ['256', 'kvpzmwqj'.repeat(32), true],
  ['257', `${'kvpzmwqj'.repeat(32)}x`, false],
])('a new password of %s characters', (_length, password, isGood) => {
  expect(problemOfNewPassword(password) === null).toBe(isGood)
})

test.each([
  ['password1234', false],
  ['P@ssw0rd2026!', false],
  ['Welcome-2026-!', false],
  ['123456789012', false],
  ['qwertyuiop123', false],
  ['zyxwvutsrqpo', false],
  ['aaaaaaaaaaaa', false],
  ['121212121212', false],
  ['PatDoeson1985', false],
  ['doeson.lender', false],
  ['CreditReport1', false],
  ['my own long password', true],
  ['correct horse battery', true],
  ['doeson likes gravel', true],
])('a new password %s is good enough: %s', (password, isGood) => {
  expect(problemOfNewPassword(password, ['pat.doeson@wrenfield.example', 'Pat', 'Doeson']) === null).toBe(isGood)
})
