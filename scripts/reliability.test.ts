import { expect, test } from 'vitest'
import { type ProofResult, writePage } from './reliability.mjs'

const proofs = [
  { name: 'crashes', about: { title: 'Killed', text: 'It is killed.', meanings: { kills: 'of the service' } } },
  { name: 'model', about: { title: 'Modelled', text: 'It is modelled.' } },
]
const held: ProofResult = {
  ok: true,
  scale: 1,
  date: '2026-11-15',
  commit: 'abc',
  seconds: 600,
  counts: { kills: 1_200 },
}

test('the page tells what was tried, how it went and what each number means', () => {
  const page = writePage(proofs, { crashes: held })
  expect(page).toContain('## Killed\n\nIt is killed. `crashes`, 2026-11-15, abc, 10 min: held.')
  expect(page).toContain('\n- kills: **1,200** (of the service)')
})

test('a figure over time is drawn from nothing to its highest', () => {
  const page = writePage(proofs, { crashes: { ...held, counts: { kills: [10, 40, 80] } } })
  expect(page).toContain('\n- kills: `▁▄█` **10 to 80** (of the service)')
})

test('a run in small says its scale', () => {
  expect(writePage(proofs, { crashes: { ...held, scale: 0.1 } })).toContain('10 min, scale 0.1: held.')
})

test('a run that has not been made is said to be missing', () => {
  const page = writePage(proofs, { crashes: held })
  expect(page).toContain('## Modelled\n\n`model`: not run yet.')
})

test('a run that broke says what broke', () => {
  const page = writePage(proofs, { model: { ...held, ok: false, why: 'a report was lost', counts: {} } })
  expect(page).toContain('`model`, 2026-11-15, abc, 10 min: **BROKE** (a report was lost).')
})
