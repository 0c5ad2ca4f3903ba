// Faults that the proxy finds in its own set-up, as codes: it sends the service nothing else about them.
import * as z from 'zod/mini'

/** Each with the sentence that the portal shows. A code that was released keeps its meaning. */
export const DOCTOR_FINDINGS = {
  'test-in-production': 'Test mode in production: every report is invented. Remove `test`.',
  'unencrypted-cookies': 'Cookies may travel unencrypted. Remove `secureCookies: false`.',
  'unusual-bureaus': 'An agency in `bureaus` is not one that the service usually knows.',
  'no-match-provider':
    '`exposeReport` is "matched" and the service has no match provider: no one sees a whole report. Choose another value.',
  'empty-wallet': 'The balance does not pay for one report. Top it up.',
  clock: 'The clock of your server differs from that of the service. Synchronise it (NTP).',
  'fingerprint-script':
    'The fingerprint script cannot be fetched. Set `publicServiceUrl` to the address browsers reach.',
  'widget-files': 'Files of the widget are missing, or differ from their manifest. Copy the whole folder.',
  'plain-http': 'The page is on plain http, where browsers keep no `Secure` cookie. Serve it over https.',
  'other-host': 'The page may not begin a check: your server gets another host. Pass `Host` on, or set `origins`.',
  'cookies-lost': 'Cookies do not come back. Let what is in front pass `Set-Cookie` and `Cookie` on as they are.',
  'no-address': 'The consumer’s address is unknown. Pass `context.remoteAddress`, or set `trustedHops`.',
  'trusted-hops':
    'All consumers seem to have one address. Set `trustedHops` to the number of reverse proxies in front.',
  'lookup-cap': 'Address lookups reached their hourly cap. If they were consumers, raise `limits.lookupsPerHourMax`.',
  'mount-path':
    'Requests arrive at another path than the mount’s. Set `path`, `publicPath` and the element’s `endpoint`.',
  'mount-fronted':
    'Something in front of the mount answers or refuses in its place. Let the mount through: it protects itself.',
  'simulated-providers': 'Texts or agencies are simulated at the service, and the mount is live. Set `test: true`.',
  'mixed-modes':
    'A check of the other mode came to this mount. Give test set-ups a client and a `cookieSecret` of their own.',
  'foreign-start': 'A page brought a start that this mount did not make. Use one `cookieSecret` on every instance.',
  'versions-apart': 'Widget and proxy are too far apart. Take both from one release of the package.',
} as const
export type DoctorCode = keyof typeof DOCTOR_FINDINGS

const FINDINGS_MAX = 40
const CODE_LENGTH_MAX = 40

export const DoctorReport = z.object({
  test: z.boolean(),
  /** A newer proxy may know more codes than the service. */
  findings: z.array(z.string().check(z.minLength(1), z.maxLength(CODE_LENGTH_MAX))).check(z.maxLength(FINDINGS_MAX)),
})
export type DoctorReport = z.infer<typeof DoctorReport>

export function isDoctorCode(code: string): code is DoctorCode {
  return Object.hasOwn(DOCTOR_FINDINGS, code)
}
