// Shared by every screen of one element.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { UkAddress } from '../contract/address.ts'
import type { WidgetEvent } from './events.ts'
import type { LocaleTag } from './strings/locales.ts'
import { createWords, type Words } from './strings/words.ts'

/** Finds the addresses of a postcode; supplied by the lender. */
export type AddressLookup = (postcode: string, signal: AbortSignal) => Promise<UkAddress[]>

export type Frame = {
  words: Words
  headingLevel: number
  /** False until the consumer has touched the element: before that the page's focus is not ours to move. */
  mayFocus: () => boolean
  /** The lender asks for a tick, because it put words in the `consent` slot. */
  asksConsent: boolean
  addressLookup: AddressLookup | null
  /** The words of the button that leads on from the report; null for none. */
  nextLabel: string | null
  /** The kind of search that the lender makes; null when the page does not say, and nothing is promised. */
  search: 'soft' | 'hard' | null
  /** The address of the lender's privacy notice; null when the page does not say. */
  privacyUrl: string | null
  /** The address where the lender's customers sign in; null when the page does not say. */
  signInUrl: string | null
  /** Tells the page. */
  tell: (event: WidgetEvent) => void
  /** The languages the lender offers; a choice where there are several. */
  locales: readonly LocaleTag[]
  chooseLocale: (locale: LocaleTag) => void
  /** Adds a chunk's style to the element. */
  addStyles: (css: string) => void
}

/** The values of an element without attributes, before it is connected. */
export const PLAIN_FRAME: Frame = {
  words: createWords('en-GB'),
  headingLevel: 2,
  mayFocus: () => true,
  asksConsent: false,
  addressLookup: null,
  nextLabel: null,
  search: null,
  privacyUrl: null,
  signInUrl: null,
  tell: () => undefined,
  locales: [],
  chooseLocale: () => undefined,
  addStyles: () => undefined,
}

export const FrameContext = createContext(PLAIN_FRAME)

export const useFrame = (): Frame => useContext(FrameContext)
export const useWords = (): Words => useFrame().words
