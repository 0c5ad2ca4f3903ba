import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { rewrap, seal, Unsealable, unseal } from './seal.ts'

const key = randomBytes(32)
const place = { tenantId: 'tenant', rowId: 'row' }
const content = 'Sam Example, 10 Orchard Lane é \u{1f600}'

function flipped(bytes: Uint8Array, index: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[index] = (copy[index] ?? 0) ^ 1
  return copy
}

describe('sealing', () => {
  test('what is sealed comes back whole, and shows nothing meanwhile', () => {
    const sealed = seal([key], place, content)
    expect(unseal([key], place, sealed)).toBe(content)
    expect(Buffer.concat([sealed.wrappedKey, sealed.content]).includes('Orchard')).toBe(false)
  })

  test('nothing is sealed and comes back as nothing', () => {
    expect(unseal([key], place, seal([key], place, ''))).toBe('')
  })

  test('the same content is never sealed the same way twice', () => {
    expect(seal([key], place, content).content).not.toEqual(seal([key], place, content).content)
  })

  test.each([
    ['another tenant', { ...place, tenantId: 'other' }],
    ['another row', { ...place, rowId: 'other' }],
    ['a place whose names run together the same way', { tenantId: 'tenantr', rowId: 'ow' }],
  ])('a blob moved to %s does not open', (_name, elsewhere) => {
    expect(() => unseal([key], elsewhere, seal([key], place, content))).toThrow(Unsealable)
  })

  test('parts of two rows do not make a third', () => {
    const [one, other] = [seal([key], place, content), seal([key], place, content)]
    expect(() => unseal([key], place, { wrappedKey: one.wrappedKey, content: other.content })).toThrow(Unsealable)
  })

  test('one changed bit anywhere is noticed', () => {
    const sealed = seal([key], place, 'short')
    for (let index = 0; index < sealed.wrappedKey.length; index += 1) {
      expect(() => unseal([key], place, { ...sealed, wrappedKey: flipped(sealed.wrappedKey, index) })).toThrow(
        Unsealable,
      )
    }
    for (let index = 0; index < sealed.content.length; index += 1) {
      expect(() => unseal([key], place, { ...sealed, content: flipped(sealed.content, index) })).toThrow(Unsealable)
    }
  })

  test.each([0, 1, 11, 27])('what was cut to %i bytes is refused, not trusted', (length) => {
    const sealed = seal([key], place, content)
    expect(() => unseal([key], place, { ...sealed, content: sealed.content.subarray(0, length) })).toThrow(Unsealable)
    expect(() => unseal([key], place, { ...sealed, wrappedKey: sealed.wrappedKey.subarray(0, length) })).toThrow(
      Unsealable,
    )
  })

  test('another key is not called damage', () => {
    const sealed = seal([key], place, content)
    expect(() => unseal([randomBytes(32)], place, sealed)).toThrow(/another SECRET_KEY/)
  })
  test('what an earlier version sealed still opens', () => {
    const sealed = {
      wrappedKey: Buffer.from(
        'S7Bvjtua7OP8Y1xt2oaGPkmBTcLe5Knq2Ykmb9PbKcBknVLLDN+vOuvkpEsZP0q9GL/8M/YgqzWUY9f0slG32A==',
        'base64',
      ),
      content: Buffer.from('3Ay+JnESaWnsAmh04YUw0gvjbw3ncdIoYjU5pMD1ncRZykXfi3dv', 'base64'),
    }
    expect(unseal([Buffer.alloc(32, 7)], place, sealed)).toBe('Sam Example')
  })

  test('a row that is wrapped again opens with the first key alone', () => {
    const newKey = randomBytes(32)
    const sealed = seal([key], place, content)
    const wrappedKey = rewrap([newKey, key], place, sealed.wrappedKey)
    expect(unseal([newKey], place, { ...sealed, wrappedKey })).toBe(content)
    expect(() => unseal([key], place, { ...sealed, wrappedKey })).toThrow(/another SECRET_KEY/)
  })
})
