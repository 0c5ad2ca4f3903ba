// "Agree": sends the details once, whatever becomes of the line or the page.
import type { ConsumerDetails } from '../../contract/consumer-details.ts'
import { toConsumerDetails } from '../fields/answers.ts'
import { type Fault, ownFault } from '../flow/fault.ts'
import { findRefusedAnswers } from '../flow/refused-answers.ts'
import { NOTICE_VERSION } from '../screens/notice.tsx'
import type { SessionOptions } from '../session.ts'
import { begunSlot, readSlot, writeSlot } from '../slots.ts'
import type { Arrival } from './arrival.ts'
import type { Drafts } from './drafts.ts'
import type { Fingerprint } from './fingerprint.ts'
import { createKeyRing } from './idempotency.ts'
import type { Line } from './line.ts'

type Consent = ConsumerDetails['consent']

/** Kept beside the draft so that a reload in mid-request can ask the same again: nothing about the person. */
type Sending = { draftId: string; start: string | null; consent: Consent }

type BeginOptions = {
  consent: SessionOptions['consent']
  fingerprint: Fingerprint
  drafts: Drafts
  arrival: Pick<Arrival, 'ask' | 'findObstacle'>
}

export function createBeginning(line: Line, { consent, fingerprint, drafts, arrival }: BeginOptions) {
  const { flow, api } = line
  const keys = createKeyRing(line.endpoint)
  const slot = `${line.endpoint}:sending`
  /** Counts the presses: an answer to an earlier one is not shown. */
  let presses = 0
  /** The person the device session has been used for. */
  let checked = ''
  /** The consent as the consumer gave it. */
  let agreed: Consent

  /** A device session belongs to one person; to the service a corrected name is another person. */
  function renewSession(): void {
    const { lastName, year, month, day } = flow.value.answers.person
    const who = [lastName, year, month, day].join()
    if (checked && checked !== who) fingerprint.renew()
    checked = who
  }

  /** The request that was in progress when the page was reloaded. */
  function readSending(): Sending | null {
    try {
      return JSON.parse(readSlot(slot) || 'null')
    } catch {
      return null
    }
  }

  async function generate(): Promise<void> {
    const press = ++presses
    // A page that has started over meanwhile is not sent an answer to what it asked before.
    const isCurrent = () => press === presses && flow.value.screen.name === 'sending'
    const obstacle = await arrival.findObstacle()
    if (!isCurrent()) return
    if (obstacle) return line.take('begin', obstacle)
    renewSession()
    const sessionId = await fingerprint.sessionId()
    if (!isCurrent()) return
    if (!sessionId) return line.fail('generate', ownFault('fingerprint-blocked'))
    const shown = await hash(flow.value.shown)
    const draftId = await drafts.secure()
    if (!isCurrent()) return
    // After a reload nothing is shown that could be agreed to.
    if (flow.value.shown || !agreed) agreed = { ...consent(), notice: NOTICE_VERSION, ...(shown && { shown }) }
    const details = { ...toConsumerDetails(flow.value.answers, sessionId), consent: agreed }
    const sending: Sending = { draftId, start: line.start, consent: agreed }
    writeSlot(slot, draftId && JSON.stringify(sending))
    writeSlot(begunSlot(line.endpoint), 'yes')
    // One key until there is an answer, whatever was changed meanwhile: the lender's server tells different details
    // apart.
    const key = keys.keyFor('check')
    let result = await api.generate(details, key)
    if (result.fault?.code === 'cookies-required') {
      // The cookie may only have run out while the page stood open.
      await arrival.ask()
      result = await api.generate(details, key)
    }
    if (press === presses) writeSlot(slot, null)
    if (press === presses && (!result.fault || isKeyRefused(result.fault))) keys.settle()
    if (isCurrent()) line.take('generate', result, true)
  }

  return {
    generate,
    readSending,
    /** The same request goes out again with what was agreed to then, or is given up. */
    settleSending(isResumed: boolean): void {
      const sending = readSending()
      if (!isResumed) writeSlot(slot, null)
      else if (sending) {
        line.start = sending.start
        agreed = sending.consent
      }
    },
  }
}

/** SHA-256 in hex; empty on a page without https, whose scripts have no hash. */
async function hash(text: string): Promise<string> {
  if (!crypto.subtle) return ''
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A request that cannot be answered under its key any more is refused without a word about any field. */
function isKeyRefused(fault: Fault): boolean {
  return fault.status === 400 && !findRefusedAnswers(fault)
}
