// `sam@gmial.com` → `sam@gmail.com`: a hint, never an error, because any domain may exist.
const DOMAINS =
  'gmail.com googlemail.com mail.com ymail.com hotmail.com hotmail.co.uk outlook.com yahoo.com yahoo.co.uk icloud.com live.com live.co.uk btinternet.com sky.com aol.com'

/** The address the consumer probably meant, or null when nothing looks mistyped. */
export function suggestEmail(email: string): string | null {
  const [, name, domain] = /^(.+@)([^@\s]+)\s*$/.exec(email.toLowerCase()) ?? []
  const known = DOMAINS.split(' ')
  if (!name || !domain || known.includes(domain)) return null
  const near = known.find((other) => isOneSlipApart(domain, other))
  return near ? email.slice(0, name.length) + near : null
}

/**
 * One letter added, dropped, changed, or swapped with its neighbour: then a common rest is left when each loses one
 * letter.
 */
function isOneSlipApart(a: string, b: string): boolean {
  const shortened = new Set(dropEach(b))
  return [a, ...dropEach(a)].some((rest) => shortened.has(rest) || rest === b) && Math.abs(a.length - b.length) < 2
}

function dropEach(word: string): string[] {
  return [...word].map((_, index) => word.slice(0, index) + word.slice(index + 1))
}
