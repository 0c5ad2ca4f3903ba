// `import 'credit-report-widget/preact'` in one file of the project: Preact knows the element, with what every element
// takes.
import type { HTMLAttributes } from 'preact'
import type { CreditReportWidgetAttributes } from './index.js'

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'credit-report-widget': CreditReportWidgetAttributes &
        Omit<HTMLAttributes<HTMLElement>, keyof CreditReportWidgetAttributes>
    }
  }
}
