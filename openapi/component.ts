// A schema of the contract under its public name, with one sentence and an example for every field. Here and not in the
// schemas, because those ship to browsers; typed by the schema's own keys, so that a field without words, or words
// without a field, do not compile.
import type * as z from 'zod/mini'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** JSON Schema keywords that cannot be read off a schema's checks; null takes one away that was. */
export type Keywords = JsonObject

type Scalar = string | number | boolean

/**
 * A value has its sentence, an example and perhaps keywords. A named schema, or a list of them, brings its own example.
 */
type FieldWords<Value> = Value extends Scalar | readonly Scalar[]
  ? readonly [sentence: string, example: Value, keywords?: Keywords]
  : string

type WordsOf<Schema extends z.ZodMiniType> = {
  readonly [Key in keyof z.input<Schema>]-?: FieldWords<NonNullable<z.input<Schema>[Key]>>
}

export type Component = {
  name: string
  schema: z.ZodMiniType
  sentence: string
  fields: { readonly [name: string]: string | readonly [sentence: string, example: unknown, keywords?: Keywords] }
  /** Of the whole. @default put together from the fields */
  example?: unknown
  /** Fields that the example put together does not have: no answer has all of them at once. */
  without?: readonly string[]
  keywords?: Keywords
}

export function component<Schema extends z.ZodMiniType>(
  name: string,
  schema: Schema,
  sentence: string,
  fields: WordsOf<Schema>,
  whole: { example?: z.input<Schema>; without?: readonly (keyof z.input<Schema> & string)[]; keywords?: Keywords } = {},
): Component {
  return { name, schema, sentence, fields, ...whole }
}

/** One of several named schemas, by `status` or `type`. */
export function union(name: string, schema: z.ZodMiniType, sentence: string): Component {
  return { name, schema, sentence, fields: {} }
}

export const DATE: Keywords = { format: 'date' }
export const TIME: Keywords = { format: 'date-time' }
/** A whole number that is never negative. */
export const COUNT: Keywords = { minimum: 0 }
