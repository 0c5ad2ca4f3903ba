// Networks rather than addresses: a phone keeps its network for as long as it fills in a form, not always its address.
import { BlockList, isIP } from 'node:net'

/** The /24 of an IPv4 address, the /48 of an IPv6 one; null for anything that is not an address. */
export function networkOf(address: string): string | null {
  const plain = unmapped(address)
  switch (isIP(plain)) {
    case 4:
      return `${plain.split('.').slice(0, 3).join('.')}.0/24`
    case 6:
      return `${expand(plain).slice(0, 3).join(':')}::/48`
    default:
      return null
  }
}

/** Like `networkOf`, but null too for addresses that mean something else to everybody: loopback, private, link-local. */
export function publicNetworkOf(address: string): string | null {
  const plain = unmapped(address)
  const family = isIP(plain)
  if (family === 0 || notPublic.check(plain, family === 4 ? 'ipv4' : 'ipv6')) return null
  return networkOf(plain)
}

/** IPv4 and IPv6 networks cannot be compared: a browser may use one towards us and the other towards the lender. */
export function familyOf(network: string): 4 | 6 {
  return network.endsWith('/24') ? 4 : 6
}

// How a dual-stack socket writes an IPv4 address.
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/, '')
}

const GROUPS = 8

/** The eight groups of an IPv6 address in their shortest form. */
function expand(address: string): string[] {
  const [before = '', after = ''] = address.toLowerCase().split('::')
  const head = before ? before.split(':') : []
  const tail = after ? after.split(':') : []
  const zeros = Array.from({ length: Math.max(0, GROUPS - head.length - tail.length) }, () => '0')
  return [...head, ...zeros, ...tail].map((group) => group.replace(/^0+(?=.)/, ''))
}

const notPublic = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  notPublic.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  notPublic.addSubnet(network, prefix, 'ipv6')
