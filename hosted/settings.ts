import { createSettingReader, type Environment } from '../kit/setting-reader.ts'

/** `HOSTED_URL`: where browsers reach the pages of links, without a slash at its end. @default PUBLIC_URL */
export function readPageUrl(
  environment: Environment,
  { production, publicUrl }: { production: boolean; publicUrl: string },
): string {
  const address = createSettingReader(environment).url('HOSTED_URL', production ? ['https:'] : ['https:', 'http:'])
  return address === null ? publicUrl : new URL(address).origin
}
