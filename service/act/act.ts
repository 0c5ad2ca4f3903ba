// A change that a person or a program may make, declared once. The console's form, the API's route and the operator's
// command read the declaration: none has a parser, a limit or a refusal of its own.
//
//   form ── portal/console/act-form.ts ──┐
//   body ── service/act/serve-act.ts ───┼──▶ reads ──▶ run ──▶ one transaction, with its line in the audit trail
//   --option ── plugins/act-command.ts ──────┘
//
// A plugin names its acts (`acts` in plugin.ts). The handler serves each act of the API at the operation that names it;
// the operator's program makes a command of each act with the door `admin`.
import type * as z from 'zod/mini'
import type { Problem } from '../../contract/problems.ts'
import type { Permission } from '../../contract/roles.ts'
import type { Clock } from '../../kit/clock.ts'
import type { AuditAction } from '../../openapi/audit-actions.ts'
import type { Operation, OperationRule } from '../../openapi/operation.ts'
import type { Config, Environment } from '../config.ts'
import type { Acting } from '../http/acting.ts'
import type { Keys } from '../keys.ts'
import type { Database } from '../store/database.ts'
import type { Maker, Scope } from '../tokens/clients.ts'

export type Door = 'console' | 'api' | 'admin'

/** The parts of the core that an act uses. */
export type ActCore = {
  config: Config
  /** The operator's. */
  environment?: Environment
  database: Database
  clock: Clock
  keys: Keys
}

/** The caller of an act, and the lender it is for. */
export type Actor = {
  tenantId: string
  /** Null: the operator, or a machine. */
  person: Maker | null
  isOperator: boolean
  may(permission: Permission): boolean
  /** Runs the transactions of the act. */
  acting: Acting
}

type Shape = z.core.$ZodLooseShape

export type Act<Fields extends Shape = Shape, Result = unknown> = {
  /** As the operator types it, with a space for the dot: `client.rename`. */
  name: string
  /** Its effect, in one clause: the summary of its operation and of its command. */
  says: string
  doors: readonly Door[]
  reads: z.ZodMiniObject<Fields>
  /** Fields that name what it is done to: parts of an address, words of a command. @default none */
  names?: readonly (keyof Fields & string)[]
  /** Fields that the operator types as words rather than options. @default `names` */
  words?: readonly (keyof Fields & string)[]
  /** Fields that only the operator may give. @default none */
  operatorOnly?: readonly (keyof Fields & string)[]
  /** The permission that a person needs; null: only the operator does it. */
  permission: Permission | null
  /** The scope that a machine's token needs. @default machines cannot do it */
  scope?: Scope
  /** A person must have signed in within the last minutes. */
  fresh: boolean
  /** It cannot be taken back: the operator types it twice. @default false */
  isFinal?: boolean
  /** @default `admin` and its name, for acts of the operator alone */
  audit?: AuditAction
  /** Throws an `ApiError` that says why nothing was changed: `not-found` for what is not there. */
  run(core: ActCore, actor: Actor, input: z.output<z.ZodMiniObject<Fields>>): Promise<Result>
}

/** An act of any shape. */
export type AnyAct = Omit<Act, 'reads' | 'names' | 'words' | 'operatorOnly' | 'run'> & {
  reads: z.ZodMiniObject
  names?: readonly string[]
  words?: readonly string[]
  operatorOnly?: readonly string[]
  run(core: ActCore, actor: Actor, input: object): Promise<unknown>
}

export function act<Fields extends Shape, Result>(declared: Act<Fields, Result>): Act<Fields, Result> {
  return declared
}

/** The permission that a person needs at a door, and the action of the audit trail. */
export function needsOf({ name, permission, fresh, audit }: AnyAct) {
  if (permission === null || audit === undefined) throw new TypeError(`only the operator may "${name}"`)
  return { permission, fresh, audit }
}

/** The authorisation rule of the act's operation. */
function ruleOf(act: AnyAct): OperationRule {
  const needs = needsOf(act)
  return act.scope === undefined ? { who: 'member', ...needs } : { who: 'tenant', scope: act.scope, ...needs }
}

type RowOfAct = Omit<Operation, 'rule' | 'summary' | 'act'>
/** The answer of the row: the act's result, or nothing. */
type Fits<Result, Row extends RowOfAct> = Row['answers'][keyof Row['answers']] extends {
  data: infer Schema extends z.ZodMiniType
}
  ? Result extends z.input<Schema>
    ? unknown
    : { 'the act does not resolve to this': Result }
  : unknown

/** The row of an act's operation: the handler serves it, and answers with what the act resolves to, or 204. */
export function operationOf<Fields extends Shape, Result, const Row extends RowOfAct>(
  act: Act<Fields, Result>,
  row: Row & Fits<Result, Row>,
): Row & Pick<Operation, 'rule' | 'summary'> & { act: string } {
  return { ...row, rule: ruleOf(act), summary: act.says, act: act.name }
}

/** The fields of a form, a body or a command's options: those that do not name what it is done to. */
export function fieldsAt(
  { reads, names = [], words = names, operatorOnly = [] }: Pick<AnyAct, 'reads' | 'names' | 'words' | 'operatorOnly'>,
  door: Door,
): Shape {
  const withheld = door === 'admin' ? words : [...names, ...operatorOnly]
  const fields = Object.fromEntries(Object.entries(reads.shape).filter(([field]) => !withheld.includes(field)))
  return door === 'api' ? fields : leavesOf(fields)
}

/** A nested field has the names of both: `report.hour`. */
function leavesOf(fields: Shape): Shape {
  const leaves = Object.entries(fields).flatMap(([name, schema]): [string, z.core.$ZodType][] => {
    const definition = definitionOf(schema)
    if (definition.type !== 'object') return [[name, schema]]
    return Object.entries(leavesOf(definition.shape)).map(([leaf, each]) => [`${name}.${leaf}`, each])
  })
  return Object.fromEntries(leaves)
}

/** Of the schema within `optional` and `nullable`. */
export function definitionOf(schema: z.core.$ZodType): z.core.$ZodTypes['_zod']['def'] {
  const definition = (schema as z.core.$ZodTypes)._zod.def
  return definition.type === 'optional' || definition.type === 'nullable'
    ? definitionOf(definition.innerType)
    : definition
}

/** The fields of a form or a command as an act reads them; what was not given is absent. */
export function nest(leaves: readonly (readonly [leaf: string, value: unknown])[]): { [field: string]: unknown } {
  const fields: { [field: string]: unknown } = {}
  for (const [leaf, value] of leaves.filter(([, each]) => each !== undefined)) {
    const [name = '', ...rest] = leaf.split('.')
    const inner = rest.length === 0 ? value : { ...(fields[name] as object), ...nest([[rest.join('.'), value]]) }
    fields[name] = inner
  }
  return fields
}

/** The field that a problem is about, of those with these names. */
export function fieldWith({ path }: Problem, fields: readonly string[]): string | undefined {
  return fields.find((field) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`))
}

/** Words for "nothing", where a field may be nothing. */
const NOTHING = ['', 'none', 'off', 'default']

/**
 * Typed text, as the schema of a field expects it; a text that does not fit stays as it is, for the schema to refuse.
 */
export function readTyped(schema: z.core.$ZodType, texts: readonly string[]): unknown {
  const definition = (schema as z.core.$ZodTypes)._zod.def
  const text = texts.at(-1)
  switch (definition.type) {
    case 'optional':
      return texts.every((each) => each === '') ? undefined : readTyped(definition.innerType, texts)
    case 'nullable':
      return text !== undefined && NOTHING.includes(text) ? null : readTyped(definition.innerType, texts)
    case 'array':
      return texts.flatMap((each) => each.split(',')).filter((each) => each !== '')
    case 'number':
      return text !== undefined && /^[-+]?\d{1,15}$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === undefined ? undefined : ['true', 'false'].includes(text) ? text === 'true' : text
    default:
      return text
  }
}
