import { expect, test } from 'vitest'
import { problemOfSender } from './sender.ts'

const OWN = ['+447700900123']

test.each(['Harbour', 'A', 'Harbour24', 'CityLoans', '+447700900123'])('%s is taken', (sender) => {
  expect(problemOfSender(sender, OWN)).toBeNull()
})

test.each([
  ['', /1 to 11 letters/],
  ['TwelveLetter', /1 to 11 letters/],
  ['L£nder', /1 to 11 letters/],
  ['Two words', /1 to 11 letters/],
  ['12345', /digits alone/],
  ['Verify', /generic/],
  ['VERIFY', /generic/],
  ['Ver1fy', /generic/],
  ['2FA', /generic/],
  ['1TimePin', /generic/],
  ['+12025550100', /foreign/],
  ['+44770090012x', /foreign/],
  ['+447700900999', /SMS_NUMBERS/],
])('"%s" is refused', (sender, problem) => {
  expect(problemOfSender(sender, OWN)).toMatch(problem)
})
