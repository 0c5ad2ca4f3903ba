// One row per operation: the router, the guards, the OpenAPI document and the reference page are all made from it.
import type * as z from 'zod/mini'
import type { ErrorCode } from '../contract/error.ts'
import type { Permission } from '../contract/roles.ts'
import type { AuditAction } from './audit-actions.ts'
import type { Component, JsonObject, Keywords } from './component.ts'
import type { Sample } from './samples.ts'
import type { Scope } from './scopes.ts'

/** Sections of the document, in order: a page of the reference each. */
export const TAGS = [
  { name: 'Sign-in and tokens', description: 'Tokens for servers and sessions for people.' },
  { name: 'Credit reports', description: 'Generate a report, answer its challenge, send the code again.' },
  { name: 'People', description: 'Export and erasure of one person’s data. An addition to the interface.' },
  {
    name: 'Links',
    description: 'Checks on a page of this service, for lenders without their own. An addition to the interface.',
  },
  { name: 'Wallet', description: 'Charges and their reasons. An addition to the interface.' },
  { name: 'Webhooks', description: 'Events that the service sends to a lender’s server.' },
  { name: 'Activity', description: 'Figures about checks and refused calls. An addition to the interface.' },
  { name: 'Audit trail', description: 'The audit trail. An addition to the interface.' },
  { name: 'API clients', description: 'The credentials of servers. An addition to the interface.' },
  { name: 'Account', description: 'The caller, and the lenders it acts for.' },
  { name: 'Devices', description: 'The script a consumer’s browser loads; no token needed.' },
  { name: 'Operations', description: 'For those who run the service, and for its gateways.' },
] as const

/**
 * The callers it is open to.
 * - `anyone`: no access token is needed. Most of these are public; the others name another proof in `schemes` or in a
 * comment.
 * - `caller`: anyone with a valid access token.
 * - `person`: the same, and it must be a person's; machines get 403.
 * - `member`: a person of the tenant in the path with the permission there; machines get 403.
 * - `tenant`: a caller of the tenant in the path, with a token that carries the scope; a person needs the permission
 * there.
 */
export type OperationRule = (
  | { who: 'anyone' | 'caller' | 'person' }
  | ({ who: 'member'; permission: Permission } & FreshRule)
  | ({
      who: 'tenant'
      scope: Scope
      permission: Permission
      /**
       * The route counts the request towards the lender's limit: one that it refuses for another reason first must not
       * use that up.
       */
      countLater?: boolean
    } & FreshRule)
) &
  AuditRule

export type FreshRule = {
  /** A person must have proved who they are within the last minutes. @default any session will do */
  fresh?: boolean
}

export type AuditRule = {
  /** The action's name in the audit trail. @default not recorded */
  audit?: AuditAction
  /**
   * Of a machine's requests, record only those that are given a person's file or refused access. @default all of them
   */
  filesOnly?: boolean
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  description: string
  schema: JsonObject
  example: string | number | boolean
  required?: boolean
}

type QueryWords = readonly [sentence: string, example: string | number | boolean, keywords?: Keywords]

/**
 * The schema that the query is read with before the handler runs, and the words of each parameter in the order of the
 * document.
 */
export type Query = { reads: z.ZodMiniObject; words: { readonly [name: string]: QueryWords } }

/** Typed by the schema's own keys, so that a parameter without words, or words without a parameter, do not compile. */
export function query<Shape extends z.core.$ZodLooseShape>(
  reads: z.ZodMiniObject<Shape>,
  words: { readonly [Name in keyof Shape]: QueryWords },
) {
  return { reads, words }
}

export type RequestBody = {
  /** @default application/json */
  type?: string
  /** The name of a component. @default text */
  schema?: string
  /** The schema that the body is read with before the handler runs. @default the handler reads the bytes itself */
  reads?: z.ZodMiniType
  /**
   * As the interface document has it, and for senders that may be newer than the service. @default an unknown field is
   * refused
   */
  ignoresUnknown?: boolean
  required?: boolean
  /** For an answer without a component, which would bring its own. */
  example?: string
}

export type SuccessAnswer = {
  says: string
  /** @default application/json, when there is a schema */
  type?: string
  /** The schema of `data` in the answer; `meta` stands beside it. Its words are among those of the folder. */
  data?: z.ZodMiniType
  /** Of an answer without that envelope: the name of a component, or a schema of its own. */
  schema?: string | JsonObject
  /** Of `data`, or of the whole. @default that of the component */
  examples?: (sample: Sample) => { [name: string]: unknown }
  /** Beyond those that every answer has; the names of described headers. */
  headers?: string[]
}

export type Operation = {
  /** As the router writes it. */
  route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'} /${string}`
  rule: OperationRule
  /**
   * The name of the act that it carries out: the handler serves it (service/act/act.ts). @default a route of the folder
   * does
   */
  act?: string
  /** The ways a caller can authenticate, where the rule alone does not say. */
  schemes?: ('clientSecret' | 'refresh' | 'metricsToken' | 'none')[]
  tag: (typeof TAGS)[number]['name']
  summary: string
  description: string
  /** Accepts `Idempotency-Key`. */
  idempotent?: boolean
  /** Its answer may be about an open challenge. */
  challenges?: boolean
  /** Headers, and what a handler reads from the query by itself; those of the path are known by name. */
  parameters?: Parameter[]
  query?: Query
  body?: RequestBody
  answers: { [status: number]: SuccessAnswer }
  /** Beyond those every operation of its kind has. */
  errors?: ErrorCode[]
  /** By status: what it refuses in the words of RFC 6749, when, and an example of what it says. */
  oauthErrors?: { [status: number]: { [error: string]: readonly [meaning: string, example: string] } }
}

/** By operation id. */
export type Operations = { readonly [id: string]: Operation }

/** `GET /:tenantId/v1/wallet` → `get`, `/{tenantId}/v1/wallet`; the pinned script by the name of its hash. */
export function splitRoute({ route }: Operation): { method: string; path: string } {
  const [method = '', path = ''] = route.split(' ')
  const written = path.replace(/:pinned\{device@.*$/, 'device@{hash}').replace(/:(\w+)/g, '{$1}')
  return { method: method.toLowerCase(), path: written }
}

/** The values that differ between installations. */
export type DocumentRules = {
  publicUrl: string
  bureaus: readonly string[]
  /** The latest year of birth that is old enough. */
  birthYearMax: number
}

/** The operations and words that a folder adds to the interface. */
export type Rows = {
  operations: Operations
  /**
   * The schemas that `body` and `answers` name, each field with its sentence and an example.
   * @default none
   */
  words?: (rules: DocumentRules) => { requests?: readonly Component[]; answers?: readonly Component[] }
  /** For the document's `webhooks`. @default none */
  webhooks?: () => JsonObject
}

/** Every operation of these, by id. */
export function operationsOf(rows: readonly Rows[]): Operations {
  return Object.assign({}, ...rows.map(({ operations }) => operations))
}
