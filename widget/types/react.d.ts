// `import 'credit-report-widget/react'` in one file of the project: React knows the element, with what every element
// takes.
import type { CreditReportWidgetAttributes } from './index.js'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'credit-report-widget': CreditReportWidgetAttributes &
        Omit<DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement>, keyof CreditReportWidgetAttributes>
    }
  }
}
