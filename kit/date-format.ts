// Dates and times as people in the United Kingdom write them.

/** Made when first used: the first formatter of a process takes 20 ms, which a starting service need not wait for. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (timeMs: number) => string {
  let format: Intl.DateTimeFormat | undefined
  return (timeMs) => {
    format ??= new Intl.DateTimeFormat('en-GB', options)
    return format.format(timeMs)
  }
}
