/**
 * An address as this page would mean it, whatever its `<base>` says. A page that was written into a frame has no address of its
 * own, only the origin of who wrote it; where a sandbox takes that away too, this throws.
 */
export function ownUrl(address: string): URL {
  return new URL(address, location.origin === 'null' ? origin : location.href)
}
