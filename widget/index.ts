// Entry of `import 'credit-report-widget'`: the element, registered.
import { defineWidget } from './define.ts'

export { TAG_NAME } from './define.ts'
export * from './element.tsx'

defineWidget()
