// `import 'credit-report-widget/svelte'` in one file of the project: Svelte knows the element, with what every element
// takes.
import type { CreditReportWidgetAttributes } from './index.js'

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'credit-report-widget': CreditReportWidgetAttributes &
      Omit<HTMLAttributes<HTMLElement>, keyof CreditReportWidgetAttributes>
  }
}
