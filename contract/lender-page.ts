// The look of a lender's page behind links, and the addresses its links may return to. An addition to the service
// interface.
import * as z from 'zod/mini'
import { isSeen, requiredString } from './bounded-string.ts'

const NAME_LENGTH_MAX = 60
export const LOGO_BYTES_MAX = 100_000
export const PAGE_URL_LENGTH_MAX = 1_000
const RETURN_URLS_MAX = 20
const CONTRAST_MIN = 4.5
const COLOUR = /^#[0-9a-f]{6}$/

/** Buttons have white words on it, on a white page. */
const AccentColour = z.string().check(
  z.toLowerCase(),
  z.regex(COLOUR, { error: 'must be a colour such as #0b5cad', abort: true }),
  z.refine((colour) => contrastWithWhite(colour) >= CONTRAST_MIN, {
    error: ({ input }) =>
      `must be darker: its contrast with white is ${(Math.floor(contrastWithWhite(String(input)) * 10) / 10).toFixed(1)}, and ${CONTRAST_MIN} is needed`,
  }),
)

function contrastWithWhite(colour: string): number {
  return 1.05 / (luminanceOf(colour) + 0.05)
}

/** As WCAG 2.2 defines it. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Characters and schemes that could run or show anything in a browser. */
const NEVER = ['javascript:', 'data:', 'blob:', 'file:', 'about:', 'vbscript:', 'view-source:']
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

const PageUrl = z
  .string()
  .check(
    z.maxLength(PAGE_URL_LENGTH_MAX, { abort: true }),
    z.refine(URL.canParse, { error: 'must be an address such as https://shop.example/checks', abort: true }),
    z.refine(isPlain, 'must have no user name, password, ? or #'),
    z.refine(isSafe, 'must begin with https:// or the scheme of an app'),
  )

function isPlain(url: string): boolean {
  const { username, password, hash, search } = new URL(url)
  return username === '' && password === '' && hash === '' && search === ''
}

/** An app's own scheme leads back into it. */
function isSafe(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' ? THIS_MACHINE.includes(hostname) : !NEVER.includes(protocol)
}

/** An absent field stays as it is; null removes it. */
export const LenderPageChange = z.object({
  name: z.optional(z.nullable(requiredString(NAME_LENGTH_MAX).check(isSeen))),
  accentColour: z.optional(z.nullable(AccentColour)),
  privacyUrl: z.optional(z.nullable(PageUrl)),
  returnUrls: z.optional(z.array(PageUrl).check(z.maxLength(RETURN_URLS_MAX))),
})
export type LenderPageChange = z.infer<typeof LenderPageChange>

export const LenderPageSettings = z.object({
  name: z.optional(z.string()),
  accentColour: z.optional(z.string()),
  privacyUrl: z.optional(z.string()),
  returnUrls: z.array(z.string()),
  /** True where there is one. */
  logo: z.boolean(),
})
export type LenderPageSettings = z.infer<typeof LenderPageSettings>
