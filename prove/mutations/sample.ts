// A sample for the runner: a function with a whole test, and one that can run for ever.
export function isAdult(years: number): boolean {
  return years >= 18
}

export function countDown(from: number): number {
  let left = from
  while (left > 0) left -= 1
  return left
}
