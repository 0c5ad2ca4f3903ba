// The languages the element speaks. To add one: its words for the screens, its words for the report, and a line here.
import { addEnglish, type Translation } from './words.ts'

export type Locale = {
  /** In the language itself, for the switch. */
  name: string
  /**
   * The first letters that tell each month from the others: people type months in their language, whatever the page's
   * is.
   */
  months?: string
  /** Every word. Those of the first screen are there in English without it. */
  load: () => Promise<Translation>
}

export const LOCALES = {
  'en-GB': {
    name: 'English',
    months: 'jan feb mar apr may jun jul aug sep oct nov dec',
    load: async (): Promise<Translation> => {
      const { enCheck, reportStrings } = await import('./en-check.ts')
      addEnglish(enCheck)
      return { say: (_key, english) => english, report: reportStrings }
    },
  },
  cy: {
    name: 'Cymraeg',
    months: 'ion chw maw ebr mai meh gor aws med hyd tac rha',
    load: async (): Promise<Translation> => {
      const { cy, reportStringsCy } = await import('./cy.ts')
      const help = async () => (await import('../report/help/strings-cy.ts')).helpStringsCy
      return { say: (key) => cy[key], report: reportStringsCy, help }
    },
  },
} satisfies { [tag: string]: Locale }

export type LocaleTag = keyof typeof LOCALES

/** Read each time: the preview adds a language of its own. */
const tags = () => Object.keys(LOCALES) as LocaleTag[]

/** The language for a tag of a page, which may name a region more or less than ours do; English when there is none. */
export function findLocale(tag: string): LocaleTag {
  const wanted = tag.toLowerCase()
  const languageOf = (each: string) => each.split('-')[0]
  return (
    tags().find((each) => each.toLowerCase() === wanted) ??
    tags().find((each) => languageOf(each.toLowerCase()) === languageOf(wanted)) ??
    'en-GB'
  )
}

/** The languages of a `locales` attribute that there are, in its order. */
export function readLocales(list: string): LocaleTag[] {
  const named = list.toLowerCase().split(/[\s,]+/)
  return [...new Set(named.flatMap((tag) => tags().find((each) => each.toLowerCase() === tag) ?? []))]
}
