// Optional, with `findAddresses`. `GET {mount}/addresses?postcode=…`: the addresses of a postcode, found by the
// lender's own code and key.
import { FoundAddress, Postcode } from '../../contract/address.ts'
import { FOUND_ADDRESSES_MAX } from '../../contract/limits.ts'
import { read } from '../../contract/problems.ts'
import { metaFor, requireAddress, requireCookies, takeUse } from '../check/browser-request.ts'
import type { Extra } from '../check/extra.ts'
import { createLimit, type Parts } from '../check/parts.ts'
import { Refusal, refuseDetails } from '../check/refusal.ts'
import type { Answer, BrowserRequest } from '../check/request.ts'
import type { FindAddresses } from '../options.ts'
import { createLookups, type Found } from './lookups.ts'
import type { Notices } from './notices.ts'

/** Sooner than the widget stops waiting (8 s), so that the reason is known here. */
const LOOKUP_TIMEOUT_MS = 6_000

export function createAddressLookup(parts: Parts, notices: Pick<Notices, 'seeLookupCap'>): Extra {
  const { findAddresses } = parts.settings
  return findAddresses ? lookUpWith(findAddresses, parts, notices) : {}
}

function lookUpWith(findAddresses: FindAddresses, parts: Parts, notices: Pick<Notices, 'seeLookupCap'>): Extra {
  const { limits, clock } = parts.settings
  const lookupLimit = createLimit('lookupsMax', parts.settings)
  const lookups = createLookups({
    perHourMax: limits.lookupsPerHourMax,
    clock,
    onCap(retryAfterSeconds) {
      notices.seeLookupCap(limits.lookupsPerHourMax)
      parts.emit({ type: 'refused', operation: 'addresses', code: 'rate-limited' })
      return new Refusal('rate-limited', { retryAfterSeconds })
    },
  })

  async function answer(browserRequest: BrowserRequest): Promise<Answer> {
    // The cookie is `SameSite=Strict`: no other site's page can make a browser spend the lender's money.
    requireCookies(browserRequest, 'addresses', parts)
    const isReal = browserRequest.story === null
    // Without an address no limit would hold.
    if (isReal) requireAddress(browserRequest, parts)
    takeUse(lookupLimit, browserRequest, 'addresses', parts)
    const postcode = read(Postcode, browserRequest.incoming.url.searchParams.get('postcode') ?? '')
    if (!postcode.ok) throw refuseDetails([{ path: 'postcode', expected: 'must be a UK postcode' }])
    const find = async () => readFound(await findInTime(findAddresses, postcode.value, parts), postcode.value, parts)
    const addresses = isReal ? await lookups.take(postcode.value, find) : inventAddresses(postcode.value)
    return { body: { meta: metaFor(browserRequest, parts), data: { addresses } } }
  }

  return {
    routes: [{ path: '/addresses', methods: ['GET'], answer }],
    meta: () => ({ findsAddresses: true }),
  }
}

async function findInTime(find: FindAddresses, postcode: string, { emit }: Parts): Promise<unknown> {
  const patience = new AbortController()
  const late = new Promise<never>((_, reject) => {
    patience.signal.addEventListener('abort', () => reject(patience.signal.reason))
  })
  const timer = setTimeout(
    () => patience.abort(new DOMException('findAddresses took too long', 'TimeoutError')),
    LOOKUP_TIMEOUT_MS,
  )
  try {
    // Inside an async function, because it may also throw at once.
    const asked = (async () => find(postcode, patience.signal))()
    return await Promise.race([asked, late])
  } catch (error) {
    emit({ type: 'hook-failed', hook: 'findAddresses', error })
    throw new Refusal('unavailable')
  } finally {
    clearTimeout(timer)
  }
}

/** The lender's answer, as far as it is addresses. */
function readFound(found: unknown, postcode: string, { emit }: Parts): Found {
  const list: readonly unknown[] = Array.isArray(found) ? found.slice(0, FOUND_ADDRESSES_MAX) : []
  const readings = list.map((each) => read(FoundAddress, each))
  const wrong = readings.find((reading) => !reading.ok)
  if (wrong || !Array.isArray(found)) {
    const [first] = wrong?.problems ?? []
    const problem = first ? `${first.path || 'an address'} ${first.expected}` : 'it is not a list'
    emit({ type: 'misconfigured', problem: `findAddresses must resolve to a list of addresses: ${problem}` })
  }
  const addresses = readings.flatMap((reading) =>
    reading.ok ? { ...reading.value, postcode: reading.value.postcode ?? postcode } : [],
  )
  return { addresses, isWhole: Array.isArray(found) && !wrong }
}

const STREETS = ['Orchard Lane', 'Weir Street', 'Marlpit Road', 'St Aldhelm’s Close', 'Kiln Row', 'Lower Green']
const TOWNS = ['Ambleford', 'Wrenbury Cross', 'Harrowby', 'Tarnside']
const HOUSES_MAX = 9
/** The first digit after the space decides how many there are. */
const COUNTS: { [digit: string]: number } = { 0: 0, 8: 1, 9: FOUND_ADDRESSES_MAX }

/**
 * The addresses of test mode: none of them exists, and a postcode always has the same ones. `… 0AA` has none, `… 8AA`
 * one, `… 9AA` a hundred; any other a few houses, two flats and a cottage. For development also good as `findAddresses`
 * itself.
 */
export function inventAddresses(postcode: string): FoundAddress[] {
  const seed = [...postcode].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7)
  const street = { thoroughfare: STREETS[seed % STREETS.length], townOrCity: TOWNS[seed % TOWNS.length], postcode }
  const count = COUNTS[postcode.split(' ')[1]?.charAt(0) ?? '']
  const houses = Array.from({ length: count ?? HOUSES_MAX }, (_, index) => ({
    buildingNumber: String(index + 1),
    ...street,
  }))
  if (count !== undefined) return houses
  const flats = ['Flat 1', 'Flat 2'].map((subBuildingName) => ({
    subBuildingName,
    buildingName: 'Mill House',
    buildingNumber: '10',
    ...street,
  }))
  return [...houses, ...flats, { buildingName: 'Rose Cottage', ...street }]
}
