import { expect, test } from 'vitest'
import { hideSecrets } from './recorder.ts'

const headerRows: [name: string, header: [string, string], expected: string][] = [
  ['a bearer token', ['Authorization', 'Bearer eyJhbGciOi.abc.def'], 'Bearer …'],
  ['basic credentials', ['authorization', 'Basic ZGVtbzpzZWNyZXQ='], 'Basic …'],
  ['every cookie of a request', ['Cookie', 'a=sealed; order=xyz'], 'a=…; order=…'],
  ['the value of a cookie, not its rules', ['Set-Cookie', 'a=sealed; Path=/x; HttpOnly'], 'a=…; Path=/x; HttpOnly'],
  ['nothing of another header', ['Content-Type', 'application/json'], 'application/json'],
]

test.each(headerRows)('hides %s', (_name, header, expected) => {
  expect(hideSecrets({ headers: [header], body: '' }).headers[0]?.[1]).toBe(expected)
})

const bodyRows: [name: string, body: string, expected: string][] = [
  ['a client secret in a form', 'client_id=a&client_secret=b&scope=c', 'client_id=a&client_secret=…&scope=c'],
  ['a token in an answer', '{"access_token":"eyJ","expires_in":900}', '{"access_token":"…","expires_in":900}'],
  ['nothing else', '{"code":"123456"}', '{"code":"123456"}'],
]

test.each(bodyRows)('hides %s', (_name, body, expected) => {
  expect(hideSecrets({ headers: [], body }).body).toBe(expected)
})
