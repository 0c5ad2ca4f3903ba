import type { KeyList } from '../kit/keys.ts'
import { deriveKeys } from './keys.ts'
import { SIGNING_KEY_PLACE } from './tokens/signing-keys.ts'

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

/** Every table of the machine API whose rows are sealed. */
export const serviceSealedTables: readonly SealedTable[] = [
  {
    name: 'signing keys',
    table: 'signing_key',
    id: 'id',
    wrappedKey: 'wrapped_key',
    tenant: `'${SIGNING_KEY_PLACE}'`,
    keys: (secretKeys) => deriveKeys(secretKeys).signing,
  },
  {
    name: 'webhook secrets',
    table: 'webhook_endpoint',
    id: 'id',
    wrappedKey: 'wrapped_key',
    tenant: 'tenant_id',
    keys: (secretKeys) => deriveKeys(secretKeys).webhooks,
  },
  {
    name: 'reports',
    table: 'sealed_report',
    id: 'report_id',
    wrappedKey: 'wrapped_key',
    tenant: '(SELECT tenant_id FROM credit_report WHERE credit_report.id = report_id)',
    keys: (secretKeys) => deriveKeys(secretKeys).reports,
  },
]
