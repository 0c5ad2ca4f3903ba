// Parts a lender adds to the element beyond its attributes, as the preview tries it.
import type { AddressLookup } from '../../widget/frame.ts'
import type { Strings } from '../../widget/strings/en.ts'

export const SLOTS: readonly (readonly [slot: string, words: string, version?: string])[] = [
  ['intro', 'Larkfield checks your credit file. It takes about three minutes.'],
  ['search-notice', 'We make a full search, which other lenders can see.'],
  ['privacy', 'How Larkfield uses your details'],
  ['consent', 'I agree that Larkfield looks at my credit file', '2026-11'],
  ['help', 'Call us on 0800 123 4567'],
  ['alternative-route', 'You can also apply in one of our branches.'],
  ['report-next', 'Your offer is ready in your basket.'],
]

/** Words to tick stand inside their label; everything else is a paragraph. */
export const tagOf = ([slot]: (typeof SLOTS)[number]) => (slot === 'consent' ? 'span' : 'p')

export const OWN_WORDS: Partial<Strings> = {
  detailsTitle: 'About you',
  detailsLead: 'Three short steps, then you see your offer.',
  continue: 'Next',
}

/** Choices a lender makes in the tag itself. */
export type TagChoices = {
  search: 'soft' | 'hard' | 'none'
  hasPrivacyUrl: boolean
  isMobileOptional: boolean
  hasNextLabel: boolean
  isLocked: boolean
}

export const TAG_ATTRIBUTES = ['search', 'privacy-url', 'mobile', 'next-label', 'locked'] as const

/** Empty where the attribute needs no value. */
export function tagAttributes(choices: TagChoices): [name: (typeof TAG_ATTRIBUTES)[number], value: string][] {
  const { search, hasPrivacyUrl, isMobileOptional, hasNextLabel, isLocked } = choices
  return [
    ...(search === 'none' ? [] : [['search', search] as const]),
    ...(hasPrivacyUrl ? [['privacy-url', '/privacy'] as const] : []),
    ...(isMobileOptional ? [['mobile', 'optional'] as const] : []),
    ...(hasNextLabel ? [['next-label', 'Continue to your offer'] as const] : []),
    ...(isLocked ? [['locked', ''] as const] : []),
  ].map(([name, value]) => [name, value])
}

export const LOCALES_OFFERED = 'en-GB cy'

/** As a lender would ask its own address service; here every postcode has the same houses. */
export const lookUp: AddressLookup = async (postcode) => [
  { buildingNumber: '1', thoroughfare: 'Kiln Row', townOrCity: 'Ambleford', postcode },
  {
    subBuildingName: 'Flat 2',
    buildingName: 'Mill House',
    thoroughfare: 'Kiln Row',
    townOrCity: 'Ambleford',
    postcode,
  },
  { buildingName: 'Rose Cottage', townOrCity: 'Ambleford', postcode },
]
