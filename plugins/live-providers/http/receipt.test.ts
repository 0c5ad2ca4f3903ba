import { describe, expect, test } from 'vitest'
import { isSignedReceipt, signReceipt } from './receipt.ts'

const nowMs = 1_794_700_800_000
const bytes = (text: string) => new TextEncoder().encode(text)
const receipt = { timestamp: String(nowMs / 1000), body: bytes('{"messageId":"m1","status":"delivered"}') }
const secret = 'a secret of the gateway'
const signature = signReceipt(secret, receipt)

describe('a generic receipt', () => {
  test('is believed when it is signed and fresh', () => {
    expect(isSignedReceipt(secret, receipt, { signature, nowMs })).toBe(true)
  })

  test('is believed when one of several signatures fits, so that a secret can be changed', () => {
    const both = `${signReceipt('the old one', receipt)}, ${signature}`
    expect(isSignedReceipt(secret, receipt, { signature: both, nowMs })).toBe(true)
  })

  test.each([
    ['fourth', 3, true],
    ['fifth', 4, false],
  ])('four signatures are looked at: the %s', (_which, before, believed) => {
    const many = `${'v1=00,'.repeat(before)}${signature}`
    expect(isSignedReceipt(secret, receipt, { signature: many, nowMs })).toBe(believed)
  })

  test.each([
    ['is believed when it is exactly five minutes old', 300_000, true],
    ['is refused a millisecond later', 300_001, false],
    ['is believed when it is exactly five minutes ahead', -300_000, true],
    ['is refused a millisecond earlier', -300_001, false],
  ])('%s', (_age, ageMs, believed) => {
    expect(isSignedReceipt(secret, receipt, { signature, nowMs: nowMs + ageMs })).toBe(believed)
  })

  test.each([
    ['another secret', signReceipt('guess', receipt), receipt],
    ['no signature', '', receipt],
    ['a signature cut short', signature.slice(0, -1), receipt],
    ['a signature in capitals', signature.toUpperCase(), receipt],
    ['an altered body', signature, { ...receipt, body: bytes('{"messageId":"m2","status":"delivered"}') }],
    ['an altered time', signature, { ...receipt, timestamp: String(nowMs / 1000 + 1) }],
    ['a time that is no number', signature, { ...receipt, timestamp: 'now' }],
    ['a negative time', signature, { ...receipt, timestamp: '-1' }],
    ['no time', signature, { ...receipt, timestamp: '' }],
    ['the wanted signature hidden behind many', `${'v1=00,'.repeat(50)}${signature}`, receipt],
  ])('is refused with %s', (_what, given, altered) => {
    expect(isSignedReceipt(secret, altered, { signature: given, nowMs })).toBe(false)
  })

  test('a time cannot borrow from a body that begins like one', () => {
    const body = bytes(`5.${new TextDecoder().decode(receipt.body)}`)
    const signed = signReceipt(secret, { ...receipt, body })
    const moved = { timestamp: `${receipt.timestamp}.5`, body: receipt.body }
    expect(signReceipt(secret, moved)).toBe(signed)
    expect(isSignedReceipt(secret, moved, { signature: signed, nowMs })).toBe(false)
  })
})
