// Networks rather than addresses: whose customer an address is, and what it means elsewhere.
import { BlockList, isIP } from 'node:net'

/**
 * `ipAddress` is a whole one. An IPv4 address stands for itself, an IPv6 address for its /64: a customer is given at
 * least that many.
 */
export function householdOf(ipAddress: string): string {
  const plain = unmapped(ipAddress)
  return plain.includes(':') ? `${groupsOf(plain).slice(0, 4).join(':')}::/64` : plain
}

/**
 * The networks one customer may own around an address, narrowest first: a home is given a /64 or a /56, a site a /48.
 * An IPv4 address stands alone.
 */
export function ownersOf(ipAddress: string): [home: string, block: string, site: string] {
  const plain = unmapped(ipAddress)
  if (!plain.includes(':')) return [plain, plain, plain]
  const [a, b, c, d = '0'] = groupsOf(plain)
  const site = `${a}:${b}:${c}`
  const block = (Number.parseInt(d, 16) & 0xff00).toString(16)
  return [`${site}:${d}::/64`, `${site}:${block}::/56`, `${site}::/48`]
}

/** The /24 of an IPv4 address, the /48 of an IPv6 one; null for anything that is not an address. */
export function networkOf(address: string): string | null {
  const plain = unmapped(address)
  switch (isIP(plain)) {
    case 4:
      return `${plain.split('.').slice(0, 3).join('.')}.0/24`
    case 6:
      return `${groupsOf(plain).slice(0, 3).join(':')}::/48`
    default:
      return null
  }
}

/**
 * Like `networkOf`, but null too for addresses that mean something else on each network: loopback, private, link-local.
 */
export function publicNetworkOf(address: string): string | null {
  return isPublicAddress(address) ? networkOf(address) : null
}

/** False for loopback, private and link-local addresses, and for what is no address. */
export function isPublicAddress(address: string): boolean {
  const plain = unmapped(address)
  return isIP(plain) !== 0 && !notPublic(plain)
}

/** Reserved for examples: it may stand for a consumer's, and nothing can be called there. */
export function isDocumentationAddress(address: string): boolean {
  const plain = unmapped(address)
  return isIP(plain) !== 0 && documentation(plain)
}

/** IPv4 and IPv6 networks cannot be compared: a browser may use one towards us and the other towards the lender. */
export function familyOf(network: string): 4 | 6 {
  return network.endsWith('/24') ? 4 : 6
}

export function isLoopbackAddress(address: string): boolean {
  const plain = unmapped(address)
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/** The host name of a URL that cannot lead off this machine. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name)
}

/** Without its zone, and as IPv4 where a dual-stack socket wrote an IPv4 address. */
export function unmapped(address: string): string {
  const [plain = ''] = address.split('%')
  if (!plain.includes(':')) return plain
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  const groups = groupsOf(plain)
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return plain
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff])
    .join('.')
}

const GROUPS = 8

/** The eight groups of an IPv6 address in their shortest form, however it was written. */
function groupsOf(address: string): string[] {
  const hexadecimal = address.replace(
    /(?<=:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/,
    (_all, a, b, c, d) => `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  )
  const [before = '', after = ''] = hexadecimal.toLowerCase().split('::')
  const head = before ? before.split(':') : []
  const tail = after ? after.split(':') : []
  const zeros = Array.from({ length: Math.max(0, GROUPS - head.length - tail.length) }, () => '0')
  return [...head, ...zeros, ...tail].map((group) => group.replace(/^0+(?=.)/, ''))
}

/**
 * Networks that IANA does not route on the public internet, and those that carry an IPv4 address inside an IPv6 one.
 */
const notPublic = createBlockList([
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2002::', 16],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
])

const documentation = createBlockList([
  ['192.0.2.0', 24],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['2001:db8::', 32],
  ['3fff::', 20],
])

/** Filled when first asked: a starting service need not wait for it. */
function createBlockList(networks: readonly [network: string, prefix: number][]): (plain: string) => boolean {
  let list: BlockList | undefined
  const fill = () => {
    const filled = new BlockList()
    for (const [network, prefix] of networks) filled.addSubnet(network, prefix, kindOf(network))
    return filled
  }
  return (plain) => {
    list ??= fill()
    return list.check(plain, kindOf(plain))
  }
}

function kindOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
