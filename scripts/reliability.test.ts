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
  expect(page).toContain('| `crashes` | Killed | held | 1 | 2026-11-15 | abc | 10 min |')
  expect(page).toContain('| kills | 1,200 | of the service |')
})

test('a run that has not been made is said to be missing', () => {
  const page = writePage(proofs, { crashes: held })
  expect(page).toContain('| `model` | Modelled | not run yet |')
  expect(page).not.toContain('## Modelled')
})

test('a run that broke says what broke', () => {
  const page = writePage(proofs, { model: { ...held, ok: false, why: 'a report was lost', counts: {} } })
  expect(page).toContain('**BROKE**')
  expect(page).toContain('**Broke:** a report was lost')
})
