/** For a batch, which asks for everything at once: all of them, and the answer of the last. */
export async function lastOf<T>(before: readonly Promise<unknown>[], last: Promise<T>): Promise<T> {
  const [value] = await Promise.all([last, ...before])
  return value
}
