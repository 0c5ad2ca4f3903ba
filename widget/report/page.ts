// The page as every part of the report sees it.
import { type ComponentChildren, createContext, h } from 'preact'
import { useContext } from 'preact/hooks'
import type { Read } from './read.ts'
import type { ShownReport } from './read-report.ts'
import type { Words } from './words.ts'

export type Page = {
  words: Words
  /** The level of the report's own heading; everything inside nests below it. */
  headingLevel: number
  /** On paper everything is open, whole and without buttons. */
  printing: boolean
  report: ShownReport
  read: Read
  /** The reference that the consumer can quote. */
  reference: string
  /** When the report was prepared, in words. */
  day: string
}

export const PageContext = createContext<Page | null>(null)

export function usePage(): Page {
  const page = useContext(PageContext)
  if (!page) throw new Error('not on a page of the report')
  return page
}
export const useWords = (): Words => usePage().words

const DEEPEST_HEADING = 6

/** A heading this many levels below the report's own. It takes focus when the verdict or the widget sends it there. */
export function Heading({ below, ...rest }: { below: number; id?: string; children: ComponentChildren }) {
  const level = Math.min(DEEPEST_HEADING, usePage().headingLevel + below)
  return h(`h${level}`, { class: below ? 'report-heading' : 'heading', part: 'heading', tabIndex: -1, ...rest })
}
