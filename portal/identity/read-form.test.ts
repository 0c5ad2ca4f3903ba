import { expect, test } from 'vitest'
import { readForm } from './read-form.ts'

const send = (body: string, type = 'application/x-www-form-urlencoded') =>
  readForm(new Request('https://service.example/', { method: 'POST', body, headers: { 'Content-Type': type } }))

test('a form is read whatever parameters its media type has', async () => {
  expect((await send('email=a%40b&code=1', 'Application/X-WWW-Form-URLEncoded; charset=UTF-8')).get('email')).toBe(
    'a@b',
  )
})

test.each([
  ['a NUL, which no browser sends', 'code=1&email=a%00b', undefined, 'email: must not contain NUL'],
  ['another media type', '{}', 'application/json', 'send the form as'],
  ['more than a form holds', `code=${'1'.repeat(9_000)}`, undefined, 'at most 8192 bytes'],
])('%s is refused', async (_name, body, type, message) => {
  await expect(send(body, type)).rejects.toThrow(message)
})
