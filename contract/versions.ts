/** Put in by the build. */
declare const __VERSION__: string

/** The version of this build of widget or proxy. */
export const VERSION: string = typeof __VERSION__ === 'string' ? __VERSION__ : 'source'

/** The widget's version, on everything it asks of the proxy, which passes it on when a check begins. */
export const WIDGET_VERSION_HEADER = 'X-Credit-Report-Widget'

/** The name of the package on a lender's server, before its version in `User-Agent`. */
export const CLIENT_AGENT = 'credit-report-widget-client'

const shape = /^\d{1,5}\.\d{1,5}\.\d{1,5}$/

/** A version, or undefined: what a header says is anybody's text. */
export function readVersion(text: string | null | undefined): string | undefined {
  return shape.exec(text ?? '')?.[0]
}

/** Neighbouring majors understand each other, so that a lender can upgrade page and server one after the other. */
const MAJORS_APART_MAX = 1

/** True when two versions are too far apart to work together. An unknown version is given the benefit of the doubt. */
export function areTooFarApart(one: string, other: string): boolean {
  return Math.abs(majorOf(one) - majorOf(other)) > MAJORS_APART_MAX
}

function majorOf(version: string): number {
  return Number(/^(\d+)\.\d+\.\d+/.exec(version)?.[1] ?? Number.NaN)
}
