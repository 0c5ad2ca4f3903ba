// `GET {mount}/addresses?postcode=…`: the addresses of a postcode, found by the lender's own code with the lender's own key.
import { FoundAddress, Postcode } from '../contract/address.ts'
import { FOUND_ADDRESSES_MAX } from '../contract/limits.ts'
import { read } from '../contract/problems.ts'
import { type Answer, type BrowserRequest, metaFor, type Parts } from './browser-request.ts'
import { inventAddresses } from './invented-addresses.ts'
import type { FindAddresses } from './options.ts'
import { Refusal, refuseDetails } from './refusal.ts'

/** Sooner than the widget stops waiting (8 s), so that the reason is told here. */
const LOOKUP_TIMEOUT_MS = 6_000

export async function listAddresses(browserRequest: BrowserRequest, parts: Parts): Promise<Answer> {
  const { settings } = parts
  if (!settings.findAddresses) throw new Refusal('not-found')
  // Each lookup costs the lender money. The cookie is `SameSite=Strict`: no other site's page can make a browser spend it.
  if (!parts.cookie.isKept(browserRequest.incoming.headers, browserRequest.place))
    throw refuse('cookies-required', parts)
  takeLookup(browserRequest, parts)
  const postcode = read(Postcode, browserRequest.incoming.url.searchParams.get('postcode') ?? '')
  if (!postcode.ok) throw refuseDetails([{ path: 'postcode', expected: 'must be a UK postcode' }])
  const find = browserRequest.story === null ? settings.findAddresses : inventAddresses
  const found = await findInTime(find, postcode.value, parts)
  return {
    body: { meta: metaFor(browserRequest, settings), data: { addresses: readFound(found, postcode.value, parts) } },
  }
}

function takeLookup({ address, isPreview }: BrowserRequest, parts: Parts): void {
  const retryAfterSeconds = isPreview || address === null ? 0 : parts.lookupLimit.take(address)
  if (retryAfterSeconds > 0) throw refuse('rate-limited', parts, retryAfterSeconds)
}

function refuse(code: 'cookies-required' | 'rate-limited', { emit }: Parts, retryAfterSeconds?: number): Refusal {
  emit({ type: 'refused', operation: 'addresses', code })
  return new Refusal(code, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
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

/** Whatever the lender's code gave, as far as it is addresses. */
function readFound(found: unknown, postcode: string, { emit }: Parts): FoundAddress[] {
  const list: readonly unknown[] = Array.isArray(found) ? found.slice(0, FOUND_ADDRESSES_MAX) : []
  const readings = list.map((each) => read(FoundAddress, each))
  const wrong = readings.find((reading) => !reading.ok)
  if (wrong || !Array.isArray(found)) {
    const [first] = wrong?.problems ?? []
    const problem = first ? `${first.path || 'an address'} ${first.expected}` : 'it is not a list'
    emit({ type: 'misconfigured', problem: `findAddresses must resolve to a list of addresses: ${problem}` })
  }
  return readings.flatMap((reading) =>
    reading.ok ? { ...reading.value, postcode: reading.value.postcode ?? postcode } : [],
  )
}
