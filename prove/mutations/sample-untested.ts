// A sample for the runner: a function whose test cannot fail.
export function isLong(text: string): boolean {
  return text.length > 9
}
