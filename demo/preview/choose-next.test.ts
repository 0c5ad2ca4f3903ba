import { expect, test } from 'vitest'
import { journeys } from '../journeys/journeys.ts'
import { stageOf } from '../stages.ts'
import { chooseNext, type Tile } from './choose-next.ts'

const waiting: { [id: string]: Tile } = Object.fromEntries(journeys.map(({ id }) => [id, { status: 'waiting' }]))
const running: Tile = { status: 'running', label: 'a' }
const result = { passed: true, differences: [], events: [], tookMs: 1, costCredits: 0 }

test('the slowest journey starts first, and four start together', () => {
  const first = chooseNext(waiting)
  expect(first).toHaveLength(4)
  expect(first[0]?.stage).toBe('slow')
})

test('two journeys that move the same clock never run side by side', () => {
  const exclusive = journeys.filter(({ stage }) => stageOf(stage).isExclusive)
  expect(exclusive.length).toBeGreaterThan(1)
  const [one] = exclusive
  const next = chooseNext({ ...waiting, [one?.id ?? '']: running })
  expect(next.filter(({ stage }) => stageOf(stage).isExclusive)).toEqual([])
  expect(chooseNext(waiting).filter(({ stage }) => stageOf(stage).isExclusive)).toHaveLength(1)
})

test('nothing starts while four run, and nothing is left out in the end', () => {
  const tiles = { ...waiting }
  for (let round = 0; round < journeys.length; round++) {
    const next = chooseNext(tiles)
    for (const { id } of next) tiles[id] = running
    expect(
      chooseNext(tiles).length + Object.values(tiles).filter(({ status }) => status === 'running').length,
    ).toBeLessThanOrEqual(4)
    const [active] = Object.entries(tiles).find(([, { status }]) => status === 'running') ?? []
    if (active === undefined) break
    tiles[active] = { status: 'done', label: 'a', result, isShown: true }
  }
  expect(Object.values(tiles).every(({ status }) => status === 'done')).toBe(true)
})
