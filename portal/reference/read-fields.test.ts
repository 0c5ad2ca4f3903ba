import { expect, test } from 'vitest'
import type { Schema } from './read-document.ts'
import { type FieldEntry, readFields } from './read-fields.ts'

const text: Schema = { type: 'string' }
const plain = { type: 'string', required: false, notes: '', fields: [] }

const rows: [name: string, schema: Schema, expected: FieldEntry[]][] = [
  [
    'a plain field says its type, whether it must be there, its rules and an example',
    {
      properties: { firstName: { ...text, description: 'The name.', maxLength: 100, examples: ['Sam'] } },
      required: ['firstName'],
    },
    [{ ...plain, name: 'firstName', required: true, notes: 'The name; up to 100 characters; for example `Sam`' }],
  ],
  [
    'what a list’s entries hold is inside the list',
    { properties: { addresses: { minItems: 1, maxItems: 10, items: { type: 'object', properties: { town: text } } } } },
    [
      {
        name: 'addresses',
        type: 'list of object',
        required: false,
        notes: '1 to 10 entries',
        fields: [{ ...plain, name: 'town' }],
      },
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
      { ...plain, name: 'status', notes: 'one of `complete`; or: one of `blocked`' },
      { ...plain, name: 'errorMessage' },
    ],
  ],
  [
    'allowed values, ranges and formats become notes',
    {
      properties: {
        gender: { ...text, enum: ['M', 'F'] },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
        ipAddress: { anyOf: [{ ...text, format: 'ipv4' }] },
      },
    },
    [
      { ...plain, name: 'gender', notes: 'one of `M`, `F`' },
      { ...plain, name: 'limit', type: 'integer', notes: '1 to 100' },
      { ...plain, name: 'ipAddress', notes: 'ipv4' },
    ],
  ],
]

test.each(rows)('%s', (_name, schema, expected) => {
  expect(readFields(schema)).toEqual(expected)
})
