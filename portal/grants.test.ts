// What an act declares is what its three doors ask for.
import { describe, expect, test } from 'vitest'
import { hostedActs } from '../hosted/acts.ts'
import { operationsOf } from '../openapi/operation.ts'
import { clientActs } from '../plugins/clients/acts.ts'
import { fieldsAt, ruleOf } from '../service/act/act.ts'
import { commandOf } from '../service/act/act-command.ts'
import { readArguments } from '../service/command.ts'
import { PORTAL_ROUTES } from './authorisation.ts'
import { allRows } from './rows.ts'

const operations = Object.values(operationsOf(allRows))
const withEveryDoor = [...clientActs, ...hostedActs].filter(({ doors }) => doors.length === 3)

describe.each(withEveryDoor.map((act) => [act.name, act] as const))('%s', (_name, act) => {
  const operation = operations.find(({ rule }) => 'audit' in rule && rule.audit === act.audit)
  const form = Object.entries(PORTAL_ROUTES).find(
    ([route, rule]) => /^POST \/console/.test(route) && rule.audit === act.audit,
  )

  test('its operation and its form ask for what it declares', () => {
    expect(operation?.rule).toEqual(ruleOf(act))
    expect(form?.[1]).toMatchObject({ permission: act.permission, fresh: act.fresh })
    for (const name of act.names ?? [])
      for (const route of [operation?.route, form?.[0]]) expect(route).toContain(`:${name}`)
  })

  test('its body and its command have the fields it declares', () => {
    const body = operation?.body?.reads as { shape?: object } | undefined
    expect(Object.keys(body?.shape ?? {}).toSorted()).toEqual(Object.keys(fieldsAt(act, 'api')).toSorted())
    const command = commandOf(act as never)
    const words = ['demo-lender', ...(act.names ?? []).map((name) => `a-${name}`)]
    expect(readArguments(command, words).words).toEqual(words)
  })
})
