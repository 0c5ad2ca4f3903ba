import { expect, test } from 'vitest'
import { hashPassword, matchesPassword, newPassword } from './password.ts'

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

test('a damaged hash is a bug, not a wrong password', async () => {
  await expect(matchesPassword('x', 'md5$abc')).rejects.toThrow('unreadable')
})

test('new passwords are long and never the same', () => {
  expect(newPassword()).toMatch(/^[\w-]{20}$/)
  expect(newPassword()).not.toBe(newPassword())
})
