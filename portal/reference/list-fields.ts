import type { Schema } from './read-document.ts'

export type FieldRow = {
  /** As JavaScript would write it: `addresses[].ukAddress.postcode`. */
  path: string
  type: string
  required: boolean
  /** What else must hold, in words. */
  notes: string
}

/** Every field of a schema as one flat list, outer before inner. A union lists the fields of all its variants, each once. */
export function listFields(schema: Schema): FieldRow[] {
  const rows = new Map<string, FieldRow>()
  collect(schema, '', rows)
  return [...rows.values()]
}

function collect(schema: Schema, prefix: string, rows: Map<string, FieldRow>): void {
  for (const variant of schema.anyOf ?? schema.oneOf ?? []) collect(variant, prefix, rows)
  if (schema.items) collect(schema.items, `${prefix}[]`, rows)
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const path = prefix ? `${prefix}.${name}` : name
    const row = rows.get(path)
    const notes = notesOf(field)
    if (!row) rows.set(path, { path, type: typeOf(field), required: schema.required?.includes(name) ?? false, notes })
    else if (notes && !row.notes.split(', ').includes(notes)) row.notes += `, ${notes}`
    collect(field, path, rows)
  }
}

function typeOf(schema: Schema): string {
  if (schema.items) return `${typeOf(schema.items)}[]`
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return [...new Set(variants.map(typeOf))].join(' or ')
  return schema.type ?? 'any'
}

function notesOf(schema: Schema): string {
  const allowed = schema.enum ?? schema.items?.enum ?? (schema.const === undefined ? undefined : [schema.const])
  const formats = (schema.anyOf ?? [schema]).flatMap(({ format }) => format ?? [])
  return [
    schema.description,
    allowed?.map((value) => `\`${String(value)}\``).join(', '),
    formats.length > 0 && formats.join(' or '),
    schema.minItems !== undefined && `${schema.minItems} to ${schema.maxItems ?? 'any number of'} entries`,
    schema.maxLength !== undefined && `up to ${schema.maxLength} characters`,
    schema.default !== undefined && `\`${String(schema.default)}\` when absent`,
  ]
    .filter(Boolean)
    .join('; ')
}
