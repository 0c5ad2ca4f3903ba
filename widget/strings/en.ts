// Every word a consumer reads, in plain English. `{name}` is filled in; a plural is one phrase per form, chosen by
// `{n}`. The keys are part of the element's API (`strings`): within a major version they are only ever added.
import type { enCheck } from './en-check.ts'
import type { enFindAddress } from './en-find-address.ts'

export const en = {
  // Every screen
  continue: 'Continue',
  optional: '{label} (optional)',
  step: 'Step {n} of {total}',
  problemTitle: 'There is a problem',
  loading: 'One moment',
  tryAgain: 'Try again',
  brokenTitle: 'Sorry, something went wrong at our end',
  errorPrefix: 'Error:',

  language: 'Language',

  // Your details
  detailsTitle: 'Your details',
  detailsLead: 'We use these to find your credit report. Write them as they are on letters from your bank.',
  knownLead: 'These details come from {lender}. Add what is missing.',
  knownWrong: 'Something wrong?',
  knownWrongLead: 'Tell {lender}: these details cannot be changed here.',
  title: 'Title',
  firstName: 'First name',
  middleName: 'Middle names',
  lastName: 'Last name',
  dateOfBirth: 'Date of birth',
  dateOfBirthHint: 'For example, 27 3 1985',
  day: 'Day',
  month: 'Month',
  year: 'Year',
  mobileNumber: 'UK mobile number',
  mobileNumberHint: 'Starts with 07. We may text you a code',
  email: 'Email address',

  firstNameMissing: 'Add your first name',
  lastNameMissing: 'Add your last name',
  lastNameOnly: 'Add your last name. If you have only one name, write it in both boxes',
  tooLong: '{label} can be up to {n} characters',
  strangeCharacters:
    '{label} has characters we cannot use ({characters}). Letters, accents, spaces, hyphens and apostrophes are fine',
  nameLetters: '{label} needs at least one letter',
  dateOfBirthMissing: 'Add your date of birth',
  dateOfBirthPart: 'Date of birth needs a {parts}',
  dateOfBirthShortYear: 'Write the year of birth in full, with 4 digits',
  dateOfBirthUnreal: 'That date of birth does not exist. Check the day and month',
  dateOfBirthFuture: 'Date of birth has to be before today',
  dateOfBirthOld: 'Check the year of birth',
  mobileNumberMissing: 'Add your UK mobile number',
  mobileNumberLetters: 'Mobile number can only have digits, spaces and a plus sign',
  mobileNumberShort: 'Mobile number is too short. UK mobiles have 11 digits, starting 07',
  mobileNumberLong: 'Mobile number is too long. UK mobiles have 11 digits, starting 07',
  mobileNumberKind: 'We need a mobile that can get texts. It should start with 07',
  mobileNumberAbroad: 'We can only text UK mobiles. Use one that starts with 07 or +44 7',
  mobileNumberAny: 'Mobile number',
  mobileNumberAnyHint: 'If it is not a UK number, start with + and the country code. We may text you a code',
  mobileNumberAnyMissing: 'Add your mobile number',
  mobileNumberAnyShape: 'Check your mobile number. Outside the UK, start with + and the country code, such as +353',
  mobileNumberCountry: 'We cannot text numbers from that country. Use another number',
  noUkMobile: 'I do not have a UK mobile',
  noMobile: 'I do not have a mobile',
  noMobileLead: 'We may have to text you a code, so that no one else can see your credit report.',
  lender: 'the company you came from',
  askForAnotherWay: 'Ask the company that sent you here for another way.',
  emailShape: 'Check your email address. It should look like sam@example.com',

  underAgeTitle: 'You need to be 18 or over',
  underAgeLead: 'Credit reports are only for people aged 18 or over. If the date of birth is wrong, you can change it.',
  underAgeAction: 'Change my date of birth',

  // In the lender's own form
  needed: 'Complete the credit check to continue',

  // Time
  years: { one: '1 year', other: '{n} years' },
  months: { one: '1 month', other: '{n} months' },
  monthNames: 'January February March April May June July August September October November December',
  and: '{a} and {b}',
}

/** One for each plural form of the language; 4 is a form of its own in Welsh, and of no plural rule. */
export type Phrase =
  | string
  | { zero?: string; one?: string; two?: string; few?: string; 4?: string; many?: string; other: string }
export type StringKey = keyof typeof en | keyof typeof enCheck | keyof typeof enFindAddress
export type Strings = { [key in StringKey]: Phrase }
