import { readFileSync } from 'node:fs'
import { validate } from '@readme/openapi-parser'
import { describe, expect, test } from 'vitest'
import { ERROR_STATUS } from '../error.ts'
import { read } from '../problems.ts'
import { describeService } from './document.ts'
import { operations } from './operations.ts'

const committed = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))

describe('openapi.json', () => {
  test('is what the schemas say; after a change run `npm run openapi`', () => {
    expect(committed).toEqual(describeService())
  })

  test('is valid OpenAPI', async () => {
    const result = await validate(structuredClone(committed))
    expect(result).toMatchObject({ valid: true })
  })

  test('a broken document would be caught', async () => {
    const broken = { ...structuredClone(committed), paths: { '/x': { get: { responses: 'none' } } } }
    expect(await validate(broken)).toMatchObject({ valid: false })
  })

  test('names every error code', () => {
    expect(Object.keys(committed.components.responses).sort()).toEqual(Object.keys(ERROR_STATUS).sort())
  })

  test.each(operations.filter(({ body, example }) => body && example))(
    'the example request of $id is accepted',
    (operation) => {
      expect(operation.body && read(operation.body, operation.example)).toMatchObject({ ok: true })
    },
  )

  test.each(operations.filter(({ answer }) => answer))(
    'the examples of what $id answers are true',
    ({ answer, examples }) => {
      expect(Object.keys(examples ?? {})).not.toEqual([])
      for (const example of Object.values(examples ?? {})) {
        expect(answer && read(answer, example)).toMatchObject({ ok: true })
      }
    },
  )
})
