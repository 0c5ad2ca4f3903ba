// Whom an allowance is counted for, when all that is known is an address.

/** `ipAddress` is a whole one. An IPv4 address stands for itself, an IPv6 address for its /64: a customer is given at least that many. */
export function householdOf(ipAddress: string): string {
  if (!ipAddress.includes(':')) return ipAddress
  const groups = groupsOf(ipAddress)
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (mapped) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** All eight groups of an IPv6 address, however it was shortened. */
function groupsOf(ipAddress: string): number[] {
  const [address = ''] = ipAddress.split('%')
  const hexadecimal = address.replace(
    /(?<=:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/,
    (_all, a, b, c, d) => `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  )
  const [left = '', right] = hexadecimal.split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [before, after] = [read(left), read(right ?? '')]
  if (right === undefined) return before
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}
