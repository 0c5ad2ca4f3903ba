import { expect, test } from 'vitest'
import { type FieldRow, listFields } from './list-fields.ts'
import type { Schema } from './read-document.ts'

const text: Schema = { type: 'string' }

const rows: [name: string, schema: Schema, expected: FieldRow[]][] = [
  [
    'a plain field says its type and whether it must be there',
    { type: 'object', properties: { firstName: { ...text, maxLength: 100 } }, required: ['firstName'] },
    [{ path: 'firstName', type: 'string', required: true, notes: 'up to 100 characters' }],
  ],
  [
    'fields inside a list carry the list’s path',
    { properties: { addresses: { type: 'array', items: { type: 'object', properties: { postcode: text } } } } },
    [
      { path: 'addresses', type: 'object[]', required: false, notes: '' },
      { path: 'addresses[].postcode', type: 'string', required: false, notes: '' },
    ],
  ],
  [
    'a field that every variant of a union has is listed once, with each value',
    {
      anyOf: [
        { properties: { status: { ...text, const: 'complete' } } },
        { properties: { status: { ...text, const: 'blocked' }, errorMessage: text } },
      ],
    },
    [
      { path: 'status', type: 'string', required: false, notes: '`complete`, `blocked`' },
      { path: 'errorMessage', type: 'string', required: false, notes: '' },
    ],
  ],
  [
    'allowed values and formats become notes',
    { properties: { gender: { ...text, enum: ['M', 'F'] }, ipAddress: { anyOf: [{ ...text, format: 'ipv4' }] } } },
    [
      { path: 'gender', type: 'string', required: false, notes: '`M`, `F`' },
      { path: 'ipAddress', type: 'string', required: false, notes: 'ipv4' },
    ],
  ],
]

test.each(rows)('%s', (_name, schema, expected) => {
  expect(listFields(schema)).toEqual(expected)
})
