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
