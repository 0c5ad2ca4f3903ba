// Is the consumer who asks for a report on the network that opened the session? Only a hint: phones change from Wi-Fi to mobile
// data, and lenders sit behind proxies. The risk provider gets it.

export type NetworkComparison = 'same' | 'other' | 'unknown'

/** Hashes begin with the address family. A browser may use IPv6 towards us and IPv4 towards the lender: not comparable. */
export function compareNetworks(seen: string | null, shown: string | null): NetworkComparison {
  if (seen === null || shown === null || seen[0] !== shown[0]) return 'unknown'
  return seen === shown ? 'same' : 'other'
}
