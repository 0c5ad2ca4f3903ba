import { deriveKeys } from '../service/keys.ts'
import type { SealedTable } from '../service/sealed-tables.ts'
import { derivePortalKeys } from './derive-keys.ts'
import { TOTP_PLACE } from './second-factor.ts'

export const portalSealedTables: readonly SealedTable[] = [
  {
    name: 'authenticator secrets',
    table: 'user_account',
    id: 'id',
    wrappedKey: 'totp_wrapped_key',
    tenant: `'${TOTP_PLACE}'`,
    keys: (secretKeys) => derivePortalKeys(deriveKeys(secretKeys).signing).totp,
  },
]
