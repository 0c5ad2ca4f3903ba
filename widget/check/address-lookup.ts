import type { AddressLookup } from '../frame.ts'
import { proxyUrl } from '../own-url.ts'

/** The search of the lender's own server. */
export function lookupAt(endpoint: string): AddressLookup {
  return async (postcode, signal) => {
    const url = proxyUrl(endpoint, `/addresses?postcode=${encodeURIComponent(postcode)}`)
    const response = url && (await fetch(url, { cache: 'no-store', redirect: 'error', signal }))
    if (!response?.ok) throw new Error('no addresses')
    const { data } = await response.json()
    return data.addresses
  }
}
