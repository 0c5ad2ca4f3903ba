import { createSettingReader, type Environment } from '../kit/setting-reader.ts'

/** `HOSTED_URL`: where browsers reach the pages of links, without a slash at its end. @default PUBLIC_URL */
export function readPageUrl(
  environment: Environment,
  { production, publicUrl }: { production: boolean; publicUrl: string },
): string {
  const given = createSettingReader(environment).url('HOSTED_URL', production ? ['https:'] : ['https:', 'http:'])
  return given === null ? publicUrl : new URL(given).origin
}
