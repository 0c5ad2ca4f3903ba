/** Put in by the build. */
declare const __VERSION__: string

/** The version of this build of widget or proxy. */
export const VERSION: string = typeof __VERSION__ === 'string' ? __VERSION__ : 'source'

/** The widget's version, on everything it asks of the proxy. */
export const WIDGET_VERSION_HEADER = 'X-Credit-Report-Widget'

/** Neighbouring majors understand each other, so that a lender can upgrade page and server one after the other. */
const MAJORS_APART_MAX = 1

/** Whether two versions are too far apart to work together. One that is not known is given the benefit of the doubt. */
export function areTooFarApart(one: string, other: string): boolean {
  return Math.abs(majorOf(one) - majorOf(other)) > MAJORS_APART_MAX
}

function majorOf(version: string): number {
  return Number(/^(\d+)\.\d+\.\d+/.exec(version)?.[1] ?? Number.NaN)
}
