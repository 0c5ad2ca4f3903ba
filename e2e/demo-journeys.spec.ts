// One journey for each kind of end; demo-journeys.release.spec.ts plays all of them.
import { journeys } from './journeys.ts'
import { testJourneys } from './play-journeys.ts'

const KINDS = [
  'default-challenge',
  'test001-allow',
  'default-block',
  'wrong-3',
  'expired',
  'insufficient-funds',
  'live-challenge',
]

testJourneys(journeys.filter(({ id }) => KINDS.includes(id)))
