// Optional. What a lender tells someone it declines because of what agencies hold. The wording is an engineer's reading
// of the Consumer Credit Act 1974 s157 and the UK GDPR; see docs/lender/decline-notice.md for what counsel and you have
// to confirm.
import type { Agency } from '../../contract/credit-report.ts'

/** An agency's contact details for consumers. */
export type AgencyContact = { name: string; address: string; telephone: string; website: string }

export type DeclineNoticeOptions = {
  /** `cy` and `cy-…` are Welsh; any other is English, as `locale` of the notice says. @default 'en-GB' */
  locale?: string
  /**
   * The `agencies` of the decision or the hook, or ids. One that was not asked is left out: nothing was requested of
   * it.
   */
  agencies: readonly (Agency | string)[]
  /** Of agencies the package does not know, or instead of what it knows, by id. */
  contacts?: { readonly [id: string]: AgencyContact }
  /** False where a person made the decision: then the words about automated decisions are left out. @default true */
  automated?: boolean
}

export type DeclineNotice = {
  locale: 'en-GB' | 'cy'
  title: string
  /** The sentence before the list of agencies whose information the decision used. */
  lead: string
  agencies: (AgencyContact & { id: string })[]
  /** The consumer's options, in order. */
  steps: string[]
  /** The whole as plain text, for a letter or an e-mail. */
  text: string
}

/** Check these against each agency's own page before you send them: agencies move. */
const CONTACTS: { readonly [id: string]: AgencyContact } = {
  equifax: {
    name: 'Equifax Limited',
    address: 'Customer Service Centre, PO Box 10036, Leicester, LE3 4FS',
    telephone: '0800 014 2955',
    website: 'www.equifax.co.uk',
  },
  experian: {
    name: 'Experian Limited',
    address: 'PO Box 9000, Nottingham, NG80 7WF',
    telephone: '0800 013 8888',
    website: 'www.experian.co.uk',
  },
  transunion: {
    name: 'TransUnion International UK Limited',
    address: 'Consumer Services Team, PO Box 491, Leeds, LS3 1WZ',
    telephone: '0330 024 7574',
    website: 'www.transunion.co.uk',
  },
}

/** That a person has no file is information too. */
const ANSWERS = ['answered', 'no-file']

const WORDS = {
  'en-GB': {
    title: 'We cannot offer you credit',
    lead: 'We decided this partly on information from credit reference agencies. These are the agencies we asked:',
    unanswered: 'We asked these credit reference agencies for information about you, and none of them gave us any:',
    telephone: 'Telephone',
    steps: [
      'You can ask each agency for a copy of your credit file. It is free, and the agency must answer within one month.',
      'If something in it is wrong, ask the agency or the company that reported it to correct it. The agency must answer within 28 days. You can also add a notice of correction of up to 200 words.',
      'If you are unhappy with our decision or how we made it, complain to us first. We have eight weeks to give you a final answer.',
      'After that you can ask the Financial Ombudsman Service, free of charge: www.financial-ombudsman.org.uk, 0800 023 4567.',
      'If your complaint is about how your personal data was used, you can tell the Information Commissioner after you have complained to us: ico.org.uk, 0303 123 1113.',
    ],
    automated:
      'This decision was made by a computer. You can ask us to explain it, tell us what we should know, and have a person look at it again.',
  },
  cy: {
    title: 'Ni allwn gynnig credyd i chi',
    lead: 'Gwnaethom y penderfyniad hwn yn rhannol ar sail gwybodaeth gan asiantaethau gwirio credyd. Dyma’r asiantaethau a holwyd gennym:',
    unanswered:
      'Gofynnom i’r asiantaethau gwirio credyd hyn am wybodaeth amdanoch, ac ni roddodd yr un ohonynt ddim i ni:',
    telephone: 'Ffôn',
    steps: [
      'Gallwch ofyn i bob asiantaeth am gopi o’ch ffeil gredyd. Mae am ddim, a rhaid i’r asiantaeth ateb o fewn mis.',
      'Os oes rhywbeth o’i le ynddi, gofynnwch i’r asiantaeth neu’r cwmni a’i nododd ei gywiro. Rhaid i’r asiantaeth ateb o fewn 28 diwrnod. Gallwch hefyd ychwanegu hysbysiad cywiro o hyd at 200 gair.',
      'Os ydych yn anfodlon ar ein penderfyniad neu ar sut y gwnaethom ef, cwynwch wrthym ni yn gyntaf. Mae gennym wyth wythnos i roi ateb terfynol i chi.',
      'Ar ôl hynny gallwch ofyn i’r Gwasanaeth Ombwdsmon Ariannol, yn rhad ac am ddim: www.financial-ombudsman.org.uk, 0800 023 4567.',
      'Os yw eich cwyn am sut y defnyddiwyd eich data personol, gallwch ddweud wrth y Comisiynydd Gwybodaeth ar ôl cwyno wrthym ni: ico.org.uk, 0303 123 1113.',
    ],
    automated:
      'Cyfrifiadur a wnaeth y penderfyniad hwn. Gallwch ofyn i ni ei esbonio, dweud wrthym beth y dylem ei wybod, a chael person i edrych arno eto.',
  },
} as const

/**
 * The words for a refusal that rests on agency data: each agency's name, address and telephone number, how to get and
 * correct the file, how to complain, and how to ask for a person. Throws for an agency whose contact is unknown: a
 * notice without its address would be incomplete.
 */
export function declineNotice({
  locale = 'en-GB',
  agencies: asked,
  contacts = {},
  automated = true,
}: DeclineNoticeOptions): DeclineNotice {
  const language = /^cy\b/i.test(locale) ? 'cy' : 'en-GB'
  const words = WORDS[language]
  const ids = asked.flatMap((agency) =>
    typeof agency === 'string' ? [agency] : agency.status === 'not-asked' ? [] : [agency.id],
  )
  if (ids.length === 0) throw new TypeError('declineNotice: `agencies` must name at least one agency that was asked')
  const hasAnswer = asked.some((agency) => typeof agency === 'string' || ANSWERS.includes(agency.status))
  const lead = hasAnswer ? words.lead : words.unanswered
  const agencies = [...new Set(ids)].map((id) => ({ id, ...contactOf(id, contacts) }))
  const steps = [...words.steps, ...(automated ? [words.automated] : [])]
  const listed = agencies.map(({ name, address, telephone, website }) =>
    [name, address, `${words.telephone}: ${telephone}`, website].join('\n'),
  )
  const text = [words.title, lead, ...listed, ...steps].join('\n\n')
  return { locale: language, title: words.title, lead, agencies, steps, text }
}

function contactOf(id: string, contacts: { readonly [id: string]: AgencyContact }): AgencyContact {
  const own = Object.hasOwn(contacts, id) ? contacts[id] : undefined
  const contact = own ?? (Object.hasOwn(CONTACTS, id) ? CONTACTS[id] : undefined)
  if (contact) return contact
  throw new TypeError(
    `declineNotice: the agency "${id}" is unknown; give its name, address, telephone and website in \`contacts\``,
  )
}
