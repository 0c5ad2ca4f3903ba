import type { ErrorCode } from '../contract/error.ts'
import type { JsonObject } from './component.ts'

/** Who may call, and how they show it. */
export type Access =
  | 'anyone'
  /** A token or the cookie of a person who signed in; with `scope`, one that carries it. */
  | { scope?: 'credit-reports' | 'wallet' }
  /** The security schemes themselves, any of which will do. */
  | { schemes: string[] }

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  description: string
  schema: JsonObject
  example: string | number
  required?: boolean
}

export type Body = {
  /** @default application/json */
  type?: string
  /** The name of a component. @default text */
  schema?: string
  required?: boolean
  /** Where there is no component, which would bring its own. */
  example?: string
}

export type Answer = {
  says: string
  /** @default application/json, when there is a schema */
  type?: string
  /** The name of a component, or a schema of its own. */
  schema?: string | JsonObject
  /** @default that of the component */
  examples?: { [name: string]: unknown }
  /** Beyond those that every answer has; the names of described headers. */
  headers?: string[]
}

export type Operation = {
  id: string
  method: 'get' | 'post' | 'delete' | 'options'
  path: string
  tag: string
  summary: string
  description: string
  access: Access
  /** Accepts `Idempotency-Key`. */
  idempotent?: boolean
  /** Its answer may be about an open challenge. */
  challenges?: boolean
  parameters?: Parameter[]
  body?: Body
  answers: { [status: number]: Answer }
  /** Beyond those every operation of its kind has. */
  errors?: ErrorCode[]
  /** By status: what it refuses in the words of RFC 6749, and when. */
  oauthErrors?: { [status: number]: { [error: string]: string } }
}
