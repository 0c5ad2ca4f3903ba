import type { KeyList } from '../../kit/keys.ts'

/** Where rows keep a wrapped data key: what `keys list` counts and `keys rewrap` walks. */
export type SealedTable = {
  /** What is sealed there, in an operator's words. */
  name: string
  table: string
  /** The primary key, which is also the row half of the place the data key is bound to. */
  id: string
  wrappedKey: string
  /** The tenant half, as SQL. */
  tenant: string
  keys(secretKeys: KeyList): KeyList
}
