import { expect, test } from 'vitest'
import { dateOfBirth } from './date-of-birth.ts'
import { read } from './problems.ts'

const on = (today: string) => dateOfBirth(() => Date.parse(`${today}T12:00:00Z`))

test.each([
  ['1900-01-01', '2026-11-15'],
  ['1985-03-27', '2026-11-15'],
  ['2010-11-15', '2026-11-15'],
  ['2008-02-29', '2024-02-29'],
  ['2008-02-29', '2024-03-01'],
])('born on %s is accepted on %s', (born, today) => {
  expect(read(on(today), born)).toEqual({ ok: true, value: born })
})

test.each([
  ['1899-12-31', '2026-11-15', 'must not be before 1900-01-01'],
  ['0001-01-01', '2026-11-15', 'must not be before 1900-01-01'],
  ['2010-11-16', '2026-11-15', 'must be at least 16 years ago'],
  ['2026-11-14', '2026-11-15', 'must be at least 16 years ago'],
  ['2026-11-16', '2026-11-15', 'must be at least 16 years ago'],
  ['2008-02-29', '2024-02-28', 'must be at least 16 years ago'],
  ['1985-02-30', '2026-11-15', 'must be a real date written YYYY-MM-DD'],
])('born on %s is refused on %s: %s', (born, today, expected) => {
  expect(read(on(today), born)).toEqual({ ok: false, problems: [{ path: '', expected }] })
})
