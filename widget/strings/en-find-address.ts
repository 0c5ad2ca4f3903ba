// The words of searching for an address; they travel with its chunk.

export const enFindAddress = {
  finding: 'Looking for addresses',
  pickAddress: 'Choose your address',
  addressesFound: { one: '1 address found', other: '{n} addresses found' },
  noneOfThese: 'My address is not in this list',
  typeAddress: 'Enter the address myself',
  lookupEmpty: 'We found no addresses for {postcode}. Check it, or enter the address yourself',
  lookupDown: 'We cannot search for addresses just now. You can enter yours yourself',
  pickMissing: 'Choose your address from the list',
}
