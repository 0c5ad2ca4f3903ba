// A line of the doctor, and of `ready()`.
import type { DoctorCode } from '../../contract/doctor.ts'
import type { ProxyErrorCode } from '../../contract/error.ts'

export type Diagnosis = {
  check:
    | 'configuration'
    | 'exposed-report'
    | 'service'
    | 'credentials'
    | 'tenant'
    | 'wallet'
    | 'agencies'
    | 'providers'
    | 'clock'
    | 'fingerprint-script'
    | 'widget-files'
    | 'mount'
  ok: boolean
  /** The finding. */
  message: string
  /** The remedy; absent when nothing needs doing. */
  fix?: string
  /** The code sent to the service; absent when nothing needs doing, and where the service cannot be reached. */
  code?: DoctorCode
  /** No check succeeds while it lasts; with this code `current` answers meanwhile. Absent where checks go on. */
  stops?: Extract<ProxyErrorCode, 'misconfigured' | 'insufficient-funds' | 'unavailable'>
}

export function good(check: Diagnosis['check'], message: string): Diagnosis {
  return { check, ok: true, message }
}

export function bad(
  check: Diagnosis['check'],
  message: string,
  fix: string,
  more: Pick<Diagnosis, 'code' | 'stops'> = {},
): Diagnosis {
  return { check, ok: false, message, fix, ...more }
}

/** One line for a log. */
export function writeDiagnosis({ check, message, fix }: Diagnosis): string {
  return `${check}: ${message}: ${fix}`
}
