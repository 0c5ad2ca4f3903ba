import { CreditReportWidget } from './element.tsx'

export const TAG_NAME = 'credit-report-widget'

/** Registers the element. A second copy of the script is harmless: the first one stays. */
export function defineWidget(): void {
  if (globalThis.customElements && !customElements.get(TAG_NAME)) customElements.define(TAG_NAME, CreditReportWidget)
}
