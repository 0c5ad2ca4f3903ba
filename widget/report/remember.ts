/** The same function, asked only once for each key. What it remembers lives as long as the function it returns. */
export function remember<Value>(read: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>()
  return (key) => {
    const value = known.get(key) ?? read(key)
    known.set(key, value)
    return value
  }
}
