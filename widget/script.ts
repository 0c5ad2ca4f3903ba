// Entry of a lender's script tag: the same as `index.ts` without exports, so that the page gains no global.
import { defineWidget } from './define.ts'

defineWidget()
