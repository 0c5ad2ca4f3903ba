const VISIBLE_DIGITS = 4

/** `12345678` → `****5678`: only the trailing digits stay, and never more than half of what there is. */
export function maskAccountNumber(accountNumber: string): string {
  const compact = accountNumber.replace(/\s/g, '')
  const visible = Math.min(VISIBLE_DIGITS, Math.floor(compact.length / 2))
  return '*'.repeat(compact.length - visible) + compact.slice(compact.length - visible)
}

/** The digits a masked number still shows: `****5678` → `5678`. */
export function trailingDigits(maskedAccountNumber: string): string {
  return maskedAccountNumber.split(/\D/).at(-1) ?? ''
}
