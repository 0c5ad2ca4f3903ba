// Every word a consumer reads, in plain English. `{name}` is filled in; a plural is one phrase per form, chosen by `{n}`.
// The keys are part of the element's API (`strings`): within a major version they are only ever added.
import type { enCheck } from './en-check.ts'
import type { enFindAddress } from './en-find-address.ts'

export const en = {
  // Every screen
  back: 'Back',
  continue: 'Continue',
  removed: 'We removed {address}.',
  undo: 'Undo',
  optional: '{label} (optional)',
  step: 'Step {n} of {total}',
  problemTitle: 'There is a problem',
  loading: 'One moment',
  tryAgain: 'Try again',
  brokenTitle: 'Sorry, something went wrong at our end',
  errorPrefix: 'Error:',
  testStrip: 'Test mode. Nothing here is real and no one is charged.',

  language: 'Language',

  // Your details
  detailsTitle: 'Your details',
  detailsLead: 'We use these to find your credit report. Write them as they are on letters from your bank.',
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
  emailSuggestion: 'Did you mean {suggestion}?',
  emailUse: 'Use this',

  firstNameMissing: 'Add your first name',
  lastNameMissing: 'Add your last name',
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
  mobileNumberNeeded: 'We need to text you a code to confirm it is you. Add a mobile number',
  noUkMobile: 'I do not have a UK mobile',
  noMobile: 'I do not have a mobile',
  noMobileLead: 'We may have to text you a code, so that no one else can see your credit report.',
  askForAnotherWay: 'Ask the company that sent you here for another way.',
  emailShape: 'Check your email address. It should look like sam@example.com',
  notAccepted: '{label} was not accepted. Check it and try again',

  underAgeTitle: 'You need to be 18 or over',
  underAgeLead: 'Credit reports are only for people aged 18 or over. If the date of birth is wrong, you can change it.',
  underAgeAction: 'Change my date of birth',

  // Your addresses
  addressTitle: 'Where do you live?',
  addressBeforeTitle: 'Where did you live before?',
  addressBeforeLead: 'We have {had}. We need {needed} of UK addresses.',
  addressAbroad: 'I lived outside the UK before that',
  liveAbroad: 'I live outside the UK',
  liveAbroadLead: 'We can only check people who live in the UK now.',
  findAddress: 'Find address',
  building: 'Your building',
  buildingHint: 'Fill in at least one of these',
  buildingNumber: 'Building number',
  buildingName: 'Building name',
  subBuildingName: 'Flat or unit',
  thoroughfare: 'Street',
  district: 'District or village',
  townOrCity: 'Town or city',
  postcode: 'Postcode',
  moved: 'When did you move in?',
  movedHint: 'For example, 9 2023',
  movedMonth: 'Month',
  movedYear: 'Year',
  streetSplit: 'We put “{parts}” under “Your building”. Check it is right',

  buildingMissing: 'Add a building number, a building name or a flat',
  townOrCityMissing: 'Add the town or city',
  postcodeMissing: 'Add the postcode',
  postcodeHalf: 'Add the whole postcode, such as {outward} 1AA',
  postcodeShape: 'That is not a UK postcode. Check the letters and numbers',
  postcodeBfpo: 'Use the BF1 postcode for this address',
  movedMissing: 'Add the month and year you moved in',
  movedUnreal: 'Check the month and year you moved in',
  movedShortYear: 'Write the year you moved in with 4 digits',
  movedFuture: 'The month you moved in has to be in the past',
  movedBeforeBirth: 'The month you moved in is before your date of birth',
  movedOverlap: 'These dates overlap another address. Check when you moved in',
  addressTwice: 'You have already added this address',

  // In the lender's own form
  needed: 'Complete the credit check to continue',

  // Time
  years: { one: '1 year', other: '{n} years' },
  months: { one: '1 month', other: '{n} months' },
  and: '{a} and {b}',
  monthNames: 'January February March April May June July August September October November December',
}

/** One for each plural form of the language; 4 is a form of its own in Welsh, and of no plural rule. */
export type Phrase =
  | string
  | { zero?: string; one?: string; two?: string; few?: string; 4?: string; many?: string; other: string }
export type StringKey = keyof typeof en | keyof typeof enCheck | keyof typeof enFindAddress
export type Strings = { [key in StringKey]: Phrase }
