// The addresses that a webhook may be sent to (SSRF). A registered address must not make this machine talk to itself or
// to its neighbours, so the addresses a name resolves to are looked at on the connection, not only when it is
// registered.
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { isIP } from 'node:net'
import { WEBHOOK_URL_LENGTH_MAX } from '../../contract/integration.ts'
import { isDocumentationAddress, isLoopbackAddress, isPublicAddress } from '../../kit/network.ts'

export type TargetRules = {
  /** Only `https:`. */
  httpsOnly: boolean
  /** This machine's own addresses are allowed: for tests and the demo. */
  allowLoopback: boolean
}

/** Why webhooks cannot go there, as a message for the user; null when they can. */
export function problemOfTarget(url: string, { httpsOnly, allowLoopback }: TargetRules): string | null {
  if (url.length > WEBHOOK_URL_LENGTH_MAX)
    return `an address of at most ${WEBHOOK_URL_LENGTH_MAX} characters was expected`
  if (!URL.canParse(url)) return 'an address such as https://shop.example/webhook was expected'
  const { protocol, username, password, hash, hostname } = new URL(url)
  if (protocol !== 'https:' && (httpsOnly || protocol !== 'http:')) return 'the address must begin with https://'
  if (username !== '' || password !== '') return 'the address must not contain a user name or password'
  if (hash !== '') return 'the address must not contain #'
  const literal = literalOf(hostname)
  if (literal !== null && isForbidden(literal, { allowLoopback })) return 'the address must be on the public internet'
  return null
}

export class ForbiddenTarget extends Error {
  constructor() {
    super('the name resolves to an address that webhooks may not go to')
    this.name = 'ForbiddenTarget'
  }
}

type LookupAnswer = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/**
 * `dns.lookup` that fails when any of the addresses is forbidden: the caller chooses among them, and so would an
 * attacker.
 */
export function createGuardedLookup(rules: Pick<TargetRules, 'allowLoopback'>, resolve: typeof lookup = lookup) {
  return (hostname: string, options: LookupOptions, answer: LookupAnswer): void => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return answer(error, [])
      const first = addresses[0]
      if (first === undefined || addresses.some(({ address }) => isForbidden(address, rules))) {
        return answer(new ForbiddenTarget(), [])
      }
      return options.all === true ? answer(null, addresses) : answer(null, first.address, first.family)
    })
  }
}

/** The host when it is an address and not a name: no lookup is made for it. */
export function literalOf(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}

export function isForbidden(address: string, { allowLoopback }: Pick<TargetRules, 'allowLoopback'>): boolean {
  if (isLoopbackAddress(address)) return !allowLoopback
  return !isPublicAddress(address) || isDocumentationAddress(address)
}

/** The addresses that webhooks may be sent to: in production only over https, and never to this machine. */
export function webhookRulesOf({ production }: { production: boolean }): TargetRules {
  return { httpsOnly: production, allowLoopback: !production }
}
