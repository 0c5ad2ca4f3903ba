// The doors of an act ask for what it declares.
import { describe, expect, test } from 'vitest'
import { operationsOf } from '../openapi/operation.ts'
import { fieldsAt, needsOf } from '../service/act/act.ts'
import { PORTAL_ROUTES } from './authorisation.ts'
import { everyAct, everyCommand } from './commands.ts'
import { allRows } from './rows.ts'

const operations = Object.values(operationsOf(allRows))

describe.each(everyAct.map((act) => [act.name, act] as const))('%s', (name, act) => {
  const row = operations.find((operation) => operation.act === name)
  const form = Object.entries(PORTAL_ROUTES).find(
    ([route, rule]) => /^POST \/console/.test(route) && rule.audit !== undefined && rule.audit === act.audit,
  )

  test('has the doors it declares, each asking for what it declares', () => {
    const command = everyCommand.find((each) => each.name === name.replace('.', ' '))
    const open = [row && 'api', form && 'console', command && 'admin'].filter(Boolean)
    expect(open.toSorted()).toEqual([...act.doors].toSorted())
    for (const rule of [row?.rule, form?.[1]].filter((each) => each !== undefined))
      expect(rule).toMatchObject(needsOf(act))
    for (const field of act.names ?? [])
      for (const route of [row?.route, form?.[0]]) if (route !== undefined) expect(route).toContain(`:${field}`)
  })

  test('its body has the fields it declares', () => {
    // A body of bytes is read by the folder's own route.
    if (row === undefined || (row.body && !row.body.reads)) return
    const body = row.body?.reads as { shape?: object } | undefined
    expect(Object.keys(body?.shape ?? {}).toSorted()).toEqual(Object.keys(fieldsAt(act, 'api')).toSorted())
  })
})
