import { getEventListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { sampleRequest } from '../../contract/samples.ts'
import { createTestApp, liveRequest } from '../../testing/test-app.ts'
import { createLog, createSilentLog } from '../log.ts'
import { joinPlugins, type Plugin } from '../plugin.ts'
import { type BureauAnswer, type BureauProvider, ProviderUnavailable } from '../providers/providers.ts'
import { queryBureaus } from './ask-providers.ts'

const never = new AbortController().signal
const bureaus = ['equifax', 'experian', 'transunion']
const question = {
  consumer: { ...sampleRequest, bureaus },
  creditReportId: 'report-1',
}

const strict = { ...question, tenant: { id: 'demo-lender', requireAllBureaus: true } }
const lenient = { ...question, tenant: { id: 'lenient', requireAllBureaus: false } }

function empty(bureau: string): BureauAnswer {
  return { bureau, records: [], searches: [] }
}

/** Bureaus that wait for each other's call before any answers, and fail where the test says. */
function bureausThat(fail: readonly string[]): BureauProvider & { abandoned: string[] } {
  const abandoned: string[] = []
  let everyoneAsked = () => {}
  const allAsked = new Promise<void>((resolve) => {
    everyoneAsked = resolve
  })
  let asked = 0
  return {
    abandoned,
    async query(bureau, _consumer, _id, signal) {
      signal.addEventListener('abort', () => abandoned.push(bureau))
      asked += 1
      if (asked === bureaus.length) everyoneAsked()
      await allAsked
      if (fail.includes(bureau)) throw new ProviderUnavailable(bureau, 'time-out')
      return empty(bureau)
    },
  }
}

function options(bureau: BureauProvider) {
  return { providers: { bureau }, log: createSilentLog(), plugins: joinPlugins([]) }
}

test('asks all at once and answers in the order of the request', async () => {
  const { agencies } = await queryBureaus(options(bureausThat([])), strict, never)
  expect(agencies).toEqual(bureaus.map((id) => ({ id, status: 'answered' })))
  expect(getEventListeners(never, 'abort')).toEqual([])
})

test('many bureaus that listen for the end are no leak to warn of', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const many = Array.from({ length: 20 }, (_, number) => `bureau-${number}`)
  const provider: BureauProvider = {
    async query(bureau, _consumer, _id, signal) {
      signal.addEventListener('abort', () => {})
      return empty(bureau)
    },
  }
  const consumer = { ...question.consumer, bureaus: many }
  await queryBureaus(options(provider), { ...strict, consumer }, never)
  expect(warn).not.toHaveBeenCalled()
})

test('a caller who gives up is followed by every bureau, at once or before it began', async () => {
  for (const controller of [new AbortController(), abortedController()]) {
    const provider: BureauProvider = {
      query: (_bureau, _consumer, _id, signal) =>
        new Promise((_resolve, reject) => {
          const stop = () => reject(signal.reason)
          if (signal.aborted) stop()
          signal.addEventListener('abort', stop)
        }),
    }
    const query = queryBureaus(options(provider), strict, controller.signal)
    controller.abort(new Error('the consumer left'))
    await expect(query).rejects.toThrow('the consumer left')
  }
})

function abortedController(): AbortController {
  const controller = new AbortController()
  controller.abort(new Error('the consumer left'))
  return controller
}

describe('for a tenant who needs every bureau', () => {
  test('one that is missing ends it, and the others are let go', async () => {
    const provider = bureausThat(['experian'])
    const query = queryBureaus(options(provider), strict, never)
    await expect(query).rejects.toMatchObject({ provider: 'experian', reason: 'time-out' })
    expect(provider.abandoned).toEqual(expect.arrayContaining(['equifax', 'transunion']))
  })
})

describe('for a tenant who takes what there is', () => {
  test('the rest is answered, and what is missing is named', async () => {
    const provider = bureausThat(['equifax', 'transunion'])
    const lines: string[] = []
    const log = createLog({ to: { write: (line) => lines.push(line) } })
    const missing: string[] = []
    const counter: Plugin = {
      name: 'counter',
      heard: (_whose, what) => void (what.type === 'agency-missing' && missing.push(what.agency)),
    }
    const { agencies } = await queryBureaus(
      { providers: { bureau: provider }, log, plugins: joinPlugins([counter]) },
      lenient,
      never,
    )
    expect(agencies.map(({ status }) => status)).toEqual(['unavailable', 'answered', 'unavailable'])
    expect(provider.abandoned).toEqual([])
    expect(missing.sort()).toEqual(['equifax', 'transunion'])
    expect(lines.join()).toContain('"provider":"transunion"')
  })

  test('nothing at all is not a report', async () => {
    const query = queryBureaus(options(bureausThat(bureaus)), lenient, never)
    await expect(query).rejects.toMatchObject({ name: 'ProviderUnavailable' })
  })

  test('a bug is not mistaken for a missing bureau', async () => {
    const broken: BureauProvider = {
      async query() {
        throw new TypeError('not a function')
      },
    }
    await expect(queryBureaus(options(broken), lenient, never)).rejects.toThrow(TypeError)
  })
})

test('a live report of simulated bureaus says so', async () => {
  const app = await createTestApp()
  const { body } = await app.generate(liveRequest('Allow'))
  await app.close()
  expect(body.data.creditReport).toHaveProperty('simulated', true)
})

test('one of bureaus that take their time says nothing of the kind', async () => {
  const bureau: BureauProvider = {
    async query(name, _consumer, _id, signal) {
      await setTimeout(20, undefined, { signal })
      return empty(name)
    },
  }
  const app = await createTestApp({ providers: { bureau } })
  const { status, body } = await app.generate(liveRequest('Allow'))
  await app.close()
  expect(status).toBe(200)
  expect(body.data.creditReport).not.toHaveProperty('simulated')
})
