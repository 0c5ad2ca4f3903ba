// `import 'credit-report-widget/preact'` in one file of the project: Preact knows the element.
import type { CreditReportWidgetAttributes } from './index.js'

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'credit-report-widget': CreditReportWidgetAttributes
    }
  }
}
