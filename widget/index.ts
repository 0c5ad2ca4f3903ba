// What `import 'credit-report-widget'` gives: the element, registered.
import { defineWidget } from './define.ts'

export { TAG_NAME } from './define.ts'
export * from './element.tsx'

defineWidget()
