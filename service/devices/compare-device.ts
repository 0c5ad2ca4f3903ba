// Is the browser that opened the session the one whose consumer asks for a report? The lender's request says little about
// the device: an address always, the `User-Agent` where the lender passes it on.
//
//   agent     differs ──▶ another device: one browser does not change its name while a form is filled in
//   network   differs ──▶ a hint: phones change from Wi-Fi to mobile data, lenders sit behind proxies
//
// A session without signals is told apart by nothing here: a page whose policy allows no POST is no crime of its visitor.
// That it has none, and on which network, is what the risk provider hears.

export type SeenDevice = { networkHash: string | null; agentHash: string }

/** Null is what the lender's request does not tell. */
export type ShownDevice = { networkHash: string | null; agentHash: string | null }

export type Comparison = { network: 'same' | 'other' | 'unknown'; isOther: boolean }

export function compareDevice(seen: SeenDevice, shown: ShownDevice): Comparison {
  const network = compareNetworks(seen.networkHash, shown.networkHash)
  const isOtherAgent = shown.agentHash !== null && shown.agentHash !== seen.agentHash
  return { network, isOther: isOtherAgent }
}

/** Hashes begin with the address family. A browser may use IPv6 towards us and IPv4 towards the lender: not comparable. */
function compareNetworks(seen: string | null, shown: string | null): Comparison['network'] {
  if (seen === null || shown === null || seen[0] !== shown[0]) return 'unknown'
  return seen === shown ? 'same' : 'other'
}
