// The text that carries a security code. Nothing a consumer typed is in it.

/** The length of one SMS. All words below are ASCII, where a character is a septet. */
const SEGMENT_LENGTH = 160
const HOST_LENGTH_MAX = 100
const LENDER_LENGTH_MAX = 40

type CodeText = {
  code: string
  /** The tenant's display name. */
  lender: string
  /** The site the code may be typed into, from the tenant's settings; null leaves the last line out. */
  checkoutHost: string | null
}

/**
 * One segment, whatever the names: what does not fit is left out, the least important first. The last line binds the
 * code to the lender's site, so that a phone offers it there and nowhere else.
 */
export function writeCodeText({ code, lender, checkoutHost }: CodeText): string {
  const name = plainName(lender)
  const lastLine = checkoutHost !== null && isCheckoutHost(checkoutHost) ? `\n\n@${checkoutHost} #${code}` : ''
  const wordings = [
    ...(name ? [`${code} is your code for a credit check with ${name}. Never share it, not even with us.`] : []),
    ...(name ? [`${code} is your code for a credit check with ${name}.`] : []),
    `${code} is your code for a credit check. Never share it.`,
  ]
  const bodies = wordings.map((wording) => `${wording}${lastLine}`)
  return bodies.find((body) => body.length <= SEGMENT_LENGTH) ?? `${code} is your credit check code.${lastLine}`
}

const hostShape = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/

/** A host name as a browser writes it: lower case, no port, no path. */
export function isCheckoutHost(host: string): boolean {
  return host.length <= HOST_LENGTH_MAX && hostShape.test(host)
}

/** A name without anything that could pass for a code, an address or a second line. */
function plainName(name: string): string {
  return (
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[’‘]/g, "'")
      // A dot between letters is what a phone turns into a link.
      .replace(/\.(?=\S)/g, ' ')
      .replace(/[^A-Za-z0-9&'.,() -]/g, ' ')
      .replace(/\s+/g, ' ')
      .slice(0, LENDER_LENGTH_MAX)
      .trim()
      .replace(/\.$/, '')
  )
}
