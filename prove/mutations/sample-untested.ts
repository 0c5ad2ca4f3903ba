// What the runner is tried on: a function whose test cannot fail.
export function isLong(text: string): boolean {
  return text.length > 9
}
