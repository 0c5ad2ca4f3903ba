// Welsh. NEEDS A REVIEW BY A NATIVE SPEAKER before a lender offers it.
import type { ReportStrings } from '../report/strings.ts'
import type { Strings } from './en.ts'

export const cy: Partial<Strings> = {}
export const reportCy: ReportStrings | null = null
