import { describe, expect, test } from 'vitest'
import { isSignedTwilioCallback, signTwilioCallback } from './receipt.ts'

describe('a Twilio callback', () => {
  // The worked example every Twilio library is checked against.
  const callback = {
    url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
    parameters: new URLSearchParams({
      To: '+18005551212',
      From: '+14158675309',
      Digits: '1234',
      Caller: '+14158675309',
      CallSid: 'CA1234567890ABCDE',
    }),
  }

  test('has the signature of the published example', () => {
    expect(signTwilioCallback('12345', callback)).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=')
    expect(isSignedTwilioCallback('12345', callback, 'RSOYDt4T1cUTdK1PDd93/VVr8B8=')).toBe(true)
  })

  test('a field sent twice counts once, in order, as Twilio signs it', () => {
    const twice = new URLSearchParams('b=2&a=9&b=1&b=2')
    expect(signTwilioCallback('k', { url: 'u', parameters: twice })).toBe(
      signTwilioCallback('k', { url: 'ua9b1b2', parameters: new URLSearchParams() }),
    )
  })

  test.each([
    ['another token', '54321', callback],
    ['another address', '12345', { ...callback, url: 'https://mycompany.com/myapp.php?foo=1&bar=3' }],
    ['a field more', '12345', { ...callback, parameters: new URLSearchParams(`${callback.parameters}&x=1`) }],
    ['no field', '12345', { ...callback, parameters: new URLSearchParams() }],
  ])('is refused with %s', (_what, token, altered) => {
    expect(isSignedTwilioCallback(token, altered, 'RSOYDt4T1cUTdK1PDd93/VVr8B8=')).toBe(false)
  })
})
