import { deriveKeys } from '../service/keys.ts'
import type { SealedTable } from '../service/sealed-tables.ts'
import { derivePortalKeys } from './derive-keys.ts'
import { PROVIDER_PLACE } from './provider/records.ts'
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
  {
    name: 'sign-ins under way',
    table: 'provider_record',
    id: 'key_digest',
    wrappedKey: 'wrapped_key',
    tenant: `'${PROVIDER_PLACE}'`,
    keys: (secretKeys) => derivePortalKeys(deriveKeys(secretKeys).signing).providerRecords,
  },
]
