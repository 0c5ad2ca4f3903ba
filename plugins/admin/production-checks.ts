// Faults that keep an installation from serving real people. Checked at every start in production, and by `admin --
// preflight`.
import { isLoopbackHost } from '../../kit/network.ts'
import { ConfigError } from '../../kit/setting-reader.ts'
import type { Config } from '../../service/config.ts'
import type { Queries } from '../../service/store/database.ts'
import { problemOfSender } from '../../service/texts/sender.ts'
import { digestSecret } from '../../service/tokens/client-secret.ts'
import { simulatedProviders } from '../live-providers/create-providers.ts'
import type { PluginSettings } from '../settings.ts'

type Installation = { config: Config & PluginSettings; database: Queries }

/** One line each: what is wrong, and what to do about it. */
export type Check = (installation: Installation) => Promise<string[]>

/** Throws a `ConfigError` with one line for each obstacle. */
export async function requireNoObstacles(checks: readonly Check[], installation: Installation): Promise<void> {
  refuse(await findObstacles(checks, installation))
}

export function refuse(obstacles: readonly string[]): void {
  if (obstacles.length > 0) throw new ConfigError(`not fit for production:\n${obstacles.join('\n')}`)
}

export async function findObstacles(checks: readonly Check[], installation: Installation): Promise<string[]> {
  return (await Promise.all(checks.map((check) => check(installation)))).flat()
}

/** Everyone can read them in the demo's sources. */
const PUBLIC_SECRETS = ['demo-secret', 'other-secret', 'empty-secret']
/** 32 random bytes in base64 have more; a word that is repeated has fewer. */
const DISTINCT_CHARACTERS_MIN = 12
/** Of neighbours that are the same or follow each other, as in "abc" and "321": in a random key one in ten is rare. */
const NEIGHBOURS_SHARE_MAX = 1 / 4
const TLS_MODES = ['require', 'verify-ca', 'verify-full']

/** The checks of the settings alone: made before a database is opened with them. */
export const findSettingObstacles = (config: Config & PluginSettings) => [...settingObstacles(config)]

export const serviceChecks: readonly Check[] = [
  async ({ config }) => findSettingObstacles(config),
  async ({ config, database }) => {
    const rows = await database.all<{ id: string; sms_sender: string }>(
      'SELECT id, sms_sender FROM tenant WHERE sms_sender IS NOT NULL ORDER BY id',
    )
    return rows.flatMap(({ id, sms_sender: sender }) => {
      const problem = problemOfSender(sender, config.providers.sms?.numbers ?? [])
      return problem === null ? [] : [`texts of lender "${id}" come from "${sender}": ${problem}; see "tenant sender"`]
    })
  },
  async ({ database }) => {
    const digests = PUBLIC_SECRETS.map(digestSecret)
    const rows = await database.all<{ client_id: string }>(
      `SELECT DISTINCT client_id FROM api_client_secret WHERE digest IN (${digests.map(() => '?').join(', ')})
       ORDER BY client_id`,
      ...digests,
    )
    return rows.map(
      ({ client_id: id }) =>
        `the database has the demo’s client "${id}", whose secret is public: start with an empty database, never with one the demo used`,
    )
  },
]

function* settingObstacles({
  publicUrl,
  trustedHops,
  databaseUrl,
  databaseMigrationUrl,
  secretKeys,
  providers,
  allowSimulated,
  checksCertificates,
}: Config & PluginSettings): Generator<string> {
  if (!publicUrl.startsWith('https:')) {
    yield `PUBLIC_URL is "${publicUrl}": set it to the https:// address that browsers and lenders use, or cookies travel in the clear`
  } else if (trustedHops === 0) {
    yield 'PUBLIC_URL is https and TRUSTED_HOPS is 0: set TRUSTED_HOPS to the number of proxies in front, or all callers count as one address'
  }
  if (!checksCertificates) {
    yield 'NODE_TLS_REJECT_UNAUTHORIZED is 0: unset it, or anyone on the way can pose as a bureau; NODE_EXTRA_CA_CERTS adds an authority'
  }
  if (secretKeys.some(isGuessable)) {
    yield 'SECRET_KEY is weak: make one with "openssl rand -base64 48"'
  }
  for (const [name, url] of Object.entries({
    DATABASE_URL: databaseUrl,
    DATABASE_MIGRATION_URL: databaseMigrationUrl,
  })) {
    if (url !== null && !isSafeConnection(new URL(url))) {
      yield `${name} leads over a network without TLS: add "?sslmode=verify-full"`
    }
  }
  if (databaseUrl !== null && databaseMigrationUrl !== null && userOf(databaseUrl) === userOf(databaseMigrationUrl)) {
    yield 'DATABASE_MIGRATION_URL names the user of DATABASE_URL: make a role that owns the tables and another that serves'
  }
  const { sms } = providers
  // Twilio's messaging services choose the sender by themselves.
  const isService = sms?.kind === 'twilio' && /^MG[0-9a-f]{32}$/.test(sms.from)
  const problem = sms === null || isService ? null : problemOfSender(sms.from, sms.numbers)
  if (problem !== null) yield `SMS_FROM is "${sms?.from}": ${problem}`
  for (const provider of simulatedProviders(providers).filter((name) => !allowSimulated.includes(name))) {
    yield `${provider} is simulated, and its answers are invented: set its provider, or name it in ALLOW_SIMULATED`
  }
}

/**
 * Too few characters, the keyboard's order, the same word again, or a sentence. A good key is none of these, but not
 * every other key is good.
 */
function isGuessable(key: Uint8Array): boolean {
  const text = Buffer.from(key).toString()
  const bytes = [...key]
  const neighbours = bytes.filter((byte, index) => index > 0 && Math.abs(byte - (bytes[index - 1] ?? 0)) <= 1)
  return (
    new Set(bytes).size < DISTINCT_CHARACTERS_MIN ||
    neighbours.length / bytes.length > NEIGHBOURS_SHARE_MAX ||
    // In its own double, a text that repeats itself is found before the second copy.
    `${text}${text}`.indexOf(text, 1) < text.length ||
    /\s/.test(text)
  )
}

const userOf = (url: string) => new URL(url).username

function isSafeConnection({ hostname, searchParams }: URL): boolean {
  // No host, or a folder: a socket of this machine.
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  if (host === '' || host.startsWith('/') || isLoopbackHost(host)) return true
  return TLS_MODES.includes(searchParams.get('sslmode') ?? '')
}
