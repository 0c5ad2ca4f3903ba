/** JSON text, even on a page whose scripts have given arrays or objects a `toJSON` (Prototype.js does). */
export function writeJson(value: unknown): string {
  return JSON.stringify(bare(value))
}

// Without a prototype there is no `toJSON` to inherit; an array stays an array.
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return Object.setPrototypeOf(value.map(bare), null)
  if (typeof value !== 'object' || value === null) return value
  const copy: unknown = Object.create(null)
  return Object.assign(Object(copy), Object.fromEntries(Object.entries(value).map(([key, part]) => [key, bare(part)])))
}
