// The words of searching for an address; they travel with its chunk.

export const enFindAddress = {
  findAddress: 'Find address',
  finding: 'Looking for addresses',
  pickAddress: 'Choose your address',
  addressesFound: { one: '1 address found', other: '{n} addresses found' },
  noneOfThese: 'None of these',
  typeAddress: 'Type the address in',
  lookupEmpty: 'We found no addresses for {postcode}. Check it, or type the address in',
  lookupDown: 'We cannot search addresses just now. You can type yours in',
  pickMissing: 'Choose your address, or choose “None of these”',
}
