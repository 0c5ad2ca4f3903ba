// Teaches the page's widget English made strange: the preview and the tests have it, the shipped files do not.
import type { CreditReportWidget } from '../../widget/element.tsx'
import { accentedFrom } from './accented.ts'

export const ACCENTED_TAG = 'en-XA'

customElements.whenDefined('credit-report-widget').then((element) => {
  const { locales } = element as typeof CreditReportWidget
  const { 'en-GB': english } = locales
  if (english) locales[ACCENTED_TAG] = { name: 'Ååççéénţš', load: async () => accentedFrom(await english.load()) }
})
