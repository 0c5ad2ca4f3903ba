// `import 'credit-report-widget/vue'` in one file of the project: Vue knows the element.
import type { CreditReportWidgetAttributes } from './index.js'

declare module 'vue' {
  interface GlobalComponents {
    'credit-report-widget': new () => { $props: CreditReportWidgetAttributes }
  }
}
