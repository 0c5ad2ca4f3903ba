// `import 'credit-report-widget/vue'` in one file of the project: Vue knows the element.
import type { CreditReportWidgetAttributes, WidgetEvents } from './index.js'

type Camel<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text

/** As templates are checked, `@credit-report-complete` is `onCreditReportComplete`. */
type Listeners = {
  [Name in keyof WidgetEvents as `on${Capitalize<Camel<Name>>}`]?: (event: CustomEvent<WidgetEvents[Name]>) => void
}

declare module 'vue' {
  interface GlobalComponents {
    'credit-report-widget': new () => { $props: CreditReportWidgetAttributes & Listeners }
  }
}
