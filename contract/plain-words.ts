/** `hirePurchase`, `HIRE_PURCHASE`, `hire-purchase` → `hire purchase`: one spelling to compare and to look up. */
export function plainWords(code: string): string {
  return splitWords(code).toLowerCase()
}

/** The same, in the capitals it came in. */
export function splitWords(code: string): string {
  return code
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_\s]+/g, ' ')
    .trim()
}
