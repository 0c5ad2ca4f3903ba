// The goal and the guard of every figure of `npm run bench`. `goal` is what we want; it moves only with a reason
// written here. `guard` is the best that was measured plus noise: crossing it fails the run, and it is lowered when a
// figure improves. Numbers are ratios to the floor of the row, unless the name says what they count.
import type { Target } from './row.ts'

export const WIDGET = {
  mainBytes: { goal: 24_000, guard: 20_200 },
  // With @preact/signals, which was decided on and weighs 2,400 bytes.
  journeyBytes: { goal: 53_000, guard: 53_000 },
  welshJourneyBytes: { goal: 56_000, guard: 55_800 },
  requests: { goal: 1, guard: 1 },
  shift: { goal: 0, guard: 0 },
  firstInputOfFloor: { goal: 1.15, guard: 1.25 },
  firstInputOfReact: { goal: 0.45, guard: 0.52 },
  scriptOfReact: { goal: 0.25, guard: 0.33 },
  longestTask: { goal: 0.5, guard: 0.8 },
} satisfies Targets

/** Smaller than every widget a lender may know. */
export const EMBEDS = { bytes: { goal: 1, guard: 1 } } satisfies Targets

export const FINGERPRINT = {
  scriptBytes: { goal: 1_500, guard: 1_500 },
  cpuOfFingerprintJs: { goal: 0.07, guard: 0.07 },
  ofLongTask: { goal: 1, guard: 1 },
  desktopWait: { goal: 1.2, guard: 1.35 },
  phoneWait: { goal: 1.2, guard: 1.25 },
} satisfies Targets

export const PROXY = {
  addedMs: { goal: 0.6, guard: 1 },
  ofHop: { goal: 2.5, guard: 4 },
} satisfies Targets

export const SERVICE = {
  startMs: { goal: 400, guard: 680 },
  memoryMb: { goal: 120, guard: 150 },
  ofEcho: { goal: 0.7, guard: 0.55, is: 'least' },
  ofEchoWithKey: { goal: 0.6, guard: 0.5, is: 'least' },
} satisfies Targets

/** The same with a thousand times as many reports. */
export const GROWTH = { ofFew: { goal: 1.1, guard: 1.25 } } satisfies Targets

export const MOCK_SERVER = { ofPrism: { goal: 1, guard: 1, is: 'least' } } satisfies Targets

export const ENGINES = {
  cpuOfSqlite: { goal: 0.75, guard: 0.6, is: 'least' },
  clockOfSqlite: { goal: 0.6, guard: 0.42, is: 'least' },
  httpClockOfSqlite: { goal: 0.7, guard: 0.5, is: 'least' },
  oneOfMany: { goal: 1, guard: 0.8, is: 'least' },
  moreProcesses: { goal: 1, guard: 0.95, is: 'least' },
  farPerSecond: { goal: 150, guard: 150, is: 'least' },
  besideBurst: { goal: 2, guard: 2.5 },
} satisfies Targets

type Targets = { [figure: string]: Target }
