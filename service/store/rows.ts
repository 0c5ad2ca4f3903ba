// Types of rows: each table's columns are written once, beside the statement that makes it, and a column that is not
// among them does not compile. `columns.test.ts` holds the lists against the tables of both engines.

type Kind = 'text' | 'integer' | 'blob'

export type Columns = { readonly [column: string]: Kind | `${Kind} or null` }

type ValueOf<K> = K extends `${infer Base} or null`
  ? ValueOf<Base> | null
  : K extends 'text'
    ? string
    : K extends 'integer'
      ? number
      : Uint8Array

export type RowOf<C extends Columns> = { -readonly [column in keyof C]: ValueOf<C[column]> }

/**
 * `found` was read with one row more than `limit`. `last` is the end of this page when there is another, and else
 * undefined.
 */
export function pageOf<Row>(found: readonly Row[], limit: number): { rows: Row[]; last: Row | undefined } {
  const rows = found.slice(0, limit)
  return { rows, last: found.length > limit ? rows.at(-1) : undefined }
}
