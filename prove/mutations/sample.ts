// What the runner is tried on: one function with a whole test, one whose test cannot fail, one that can run for ever.
export function isAdult(years: number): boolean {
  return years >= 18
}

export function isLong(text: string): boolean {
  return text.length > 9
}

export function countDown(from: number): number {
  let left = from
  while (left > 0) left -= 1
  return left
}
