import { deriveKeys } from '../service/keys.ts'
import type { SealedTable } from '../service/plugin.ts'
import { SIGNING_KEY_PLACE } from '../service/tokens/signing-keys.ts'

/** Every table of the core whose rows are sealed. */
export const coreSealed: readonly SealedTable[] = [
  {
    name: 'signing keys',
    table: 'signing_key',
    id: 'id',
    wrappedKey: 'wrapped_key',
    tenant: `'${SIGNING_KEY_PLACE}'`,
    keys: (secretKeys) => deriveKeys(secretKeys).signing,
  },
  {
    name: 'reports',
    table: 'sealed_report',
    id: 'report_id',
    wrappedKey: 'wrapped_key',
    tenant: '(SELECT tenant_id FROM credit_report WHERE credit_report.id = report_id)',
    keys: (secretKeys) => deriveKeys(secretKeys).reports,
  },
  {
    name: 'kept answers',
    table: 'kept_answer',
    id: 'scope',
    wrappedKey: 'wrapped_key',
    tenant: 'tenant_id',
    keys: (secretKeys) => deriveKeys(secretKeys).answers,
  },
]
