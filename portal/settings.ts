import { createSettingReader, type Environment } from '../kit/setting-reader.ts'
import type { ProviderSettings } from './identity/relying-party.ts'

/** `OIDC_ISSUER` and what belongs to it; null when people sign in here. */
export function readExternalProvider(
  environment: Environment,
  { production }: { production: boolean },
): ProviderSettings | null {
  const read = createSettingReader(environment)
  const issuer = read.url('OIDC_ISSUER', production ? ['https:'] : ['https:', 'http:'])
  if (issuer === null) return null
  const because = 'OIDC_ISSUER is set'
  return {
    issuer,
    clientId: read.needed(read.string('OIDC_CLIENT_ID', '') || null, 'OIDC_CLIENT_ID', because),
    clientSecret: read.needed(read.secret('OIDC_CLIENT_SECRET', 1), 'OIDC_CLIENT_SECRET', because),
  }
}
