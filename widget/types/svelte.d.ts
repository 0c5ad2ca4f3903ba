// `import 'credit-report-widget/svelte'` in one file of the project: Svelte knows the element.
import type { CreditReportWidgetAttributes } from './index.js'

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'credit-report-widget': CreditReportWidgetAttributes
  }
}
