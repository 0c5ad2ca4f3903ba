import type { Schema } from './read-document.ts'

/** A field as the page shows it, with those inside it. */
export type FieldEntry = {
  name: string
  type: string
  required: boolean
  /** Further constraints, in words. */
  notes: string
  fields: FieldEntry[]
}

/**
 * The fields of an object, or of a list's entries. A union has the fields of all its variants, each once; required is
 * what every variant requires.
 */
export function readFields(schema: Schema): FieldEntry[] {
  const fields = new Map<string, FieldEntry>()
  const variants = (schema.anyOf ?? schema.oneOf ?? []).map(readFields)
  const isInEach = (name: string) =>
    variants.every((variant) => variant.some((field) => field.name === name && field.required))
  const merged = variants.flat().map((field) => ({ ...field, required: isInEach(field.name) }))
  const inner = [...merged, ...(schema.items ? readFields(schema.items) : [])]
  const own = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    type: typeOf(property),
    required: schema.required?.includes(name) ?? false,
    notes: notesOf(property),
    fields: readFields(property),
  }))
  for (const field of [...inner, ...own]) {
    const known = fields.get(field.name)
    if (!known) fields.set(field.name, field)
    else if (!known.notes.includes(field.notes)) known.notes += `; or: ${field.notes}`
    // The variant that says more about what is inside is shown.
    if (known && known.fields.length < field.fields.length) known.fields = field.fields
  }
  return [...fields.values()]
}

function typeOf(schema: Schema): string {
  if (schema.items) return `list of ${typeOf(schema.items)}`
  const variants = schema.anyOf ?? schema.oneOf
  if (variants && !schema.type) return [...new Set(variants.map(typeOf))].join(' or ')
  return schema.type ?? 'any'
}

function notesOf(schema: Schema): string {
  const allowed = schema.enum ?? schema.items?.enum ?? (schema.const === undefined ? undefined : [schema.const])
  const formats = (schema.anyOf ?? [schema]).flatMap(({ format }) => format ?? [])
  return [
    schema.description?.replace(/\.$/, ''),
    allowed && `one of ${allowed.map((value) => `\`${String(value)}\``).join(', ')}`,
    formats.length > 0 && formats.join(' or '),
    range('', schema.minimum, schema.maximum),
    range(' entries', schema.minItems, schema.maxItems),
    schema.maxLength !== undefined && `up to ${schema.maxLength} characters`,
    schema.default !== undefined && `\`${String(schema.default)}\` when absent`,
    !allowed && isPlain(schema.examples?.[0]) && `for example \`${String(schema.examples?.[0])}\``,
  ]
    .filter(Boolean)
    .join('; ')
}

function range(unit: string, min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`
  if (min !== undefined) return `at least ${min}${unit}`
  return max === undefined ? '' : `at most ${max}${unit}`
}

function isPlain(example: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof example)
}
