// A lender's page on which the whole journey is played.
import type { Page } from '@playwright/test'
import type { PageOptions } from '../widget-pages/host-page.ts'

export type HostPage = {
  /** One idea, in plain words. */
  name: string
  page: PageOptions | ((where: Where) => PageOptions)
  /**
   * True on such a page and on no other, so that a page that lost its point is found. Runs in the page; gets our
   * element.
   */
  holds: (element: Element) => boolean | Promise<boolean>
  /** The consumer's steps to the element. */
  enter?: (page: Page) => Promise<void>
  /** The page is shown in a frame with these attributes. */
  frame?: string
  /** The page around the frame writes what is in it, instead of giving an address. */
  isFrameWritten?: boolean
  /** The look of the element here, where it differs. */
  looks?: Partial<Look>
  /** Scripts the page loads from its own origin. */
  files?: { [path: string]: string }
}

export type Where = {
  /** The page's own origin. */
  origin: string
  /** The service's. */
  service: string
  /** The hash of the service's fingerprint script. */
  fingerprintIntegrity: string
}

/** The label of the first field, its input and the button below. */
export type Look = {
  fontSize: string
  letterSpacing: string
  textTransform: string
  direction: string
  writingMode: string
  color: string
  fontStyle: string
  textAlign: string
  button: string
}

export const style = (css: string): string => `<style>${css}</style>`
export const script = (code: string): string => `<script>${code}</script>`
