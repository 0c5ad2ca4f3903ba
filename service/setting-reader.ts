// Reading one environment variable: what it must look like, and what is said when it does not.
import { readFileSync } from 'node:fs'

export type Environment = { readonly [name: string]: string | undefined }

/** One line that names the variable, what it should be and what it was. Never shows a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type SettingReader = ReturnType<typeof createSettingReader>

/** The ways a variable can be read. An empty one counts as unset, as shells and compose files write it. */
export function createSettingReader(environment: Environment) {
  const given = (name: string) => environment[name]?.trim() || null
  const refuse = (name: string, expected: string, value: string) =>
    new ConfigError(`${name}: expected ${expected}, got ${value}`)

  return {
    string: (name: string, fallback: string): string => given(name) ?? fallback,

    flag(name: string): boolean {
      const value = given(name)
      if (value === null || value === '0') return false
      if (value === '1') return true
      throw refuse(name, '1 or 0', show(value))
    },

    whole(name: string, fallback: number, { min, max }: { min: number; max: number }): number {
      const value = given(name)
      if (value === null) return fallback
      const parsed = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      if (parsed >= min && parsed <= max) return parsed
      throw refuse(name, `a whole number from ${min} to ${max}`, show(value))
    },

    oneOf<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
      const value = given(name)
      if (value === null) return fallback
      const choice = choices.find((candidate) => candidate === value)
      if (choice !== undefined) return choice
      throw refuse(name, `one of ${choices.join(', ')}`, show(value))
    },

    names(name: string, fallback: readonly string[]): readonly string[] {
      const value = given(name)
      if (value === null) return fallback
      const names = value.split(',').map((part) => part.trim())
      if (names.every((part) => /^[a-z0-9-]{1,40}$/.test(part)) && new Set(names).size === names.length) return names
      throw refuse(name, 'different lower-case names with commas between them', show(value))
    },

    /** Anything `parse` understands; null is what it does not. */
    as<T>(name: string, expected: string, parse: (given: string) => T | null, fallback: T): T {
      const value = given(name)
      if (value === null) return fallback
      const parsed = parse(value)
      if (parsed !== null) return parsed
      throw refuse(name, expected, show(value))
    },

    /** Passes on what another setting cannot do without. */
    needed<T>(value: T | null, name: string, because: string): T {
      if (value !== null) return value
      throw refuse(name, `a value, because ${because}`, 'nothing')
    },

    url(name: string, protocols: readonly string[], { secret = false } = {}): string | null {
      const value = given(name)
      if (value === null) return null
      if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value
      // A database address usually carries its password, so not even a wrong one is repeated.
      throw refuse(
        name,
        `an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
        secret ? 'something else' : show(value),
      )
    },

    /** Secrets in a file, as orchestrators mount them. */
    secretsFile(name: string, bytesMin: number): string[] | null {
      const path = given(name)
      if (path === null) return null
      let value: string
      try {
        value = readFileSync(path, 'utf8').trim()
      } catch {
        throw refuse(name, 'a file that can be read', show(path))
      }
      const parts = listOf(value)
      if (shortestOf(parts) >= bytesMin) return parts
      throw refuse(name, `a file with at least ${bytesMin} bytes`, `${shortestOf(parts)}`)
    },

    /** Secrets with commas between them. */
    secrets(name: string, bytesMin: number): string[] | null {
      const value = given(name)
      if (value === null) return null
      const parts = listOf(value)
      if (shortestOf(parts) >= bytesMin) return parts
      throw refuse(
        name,
        `at least ${bytesMin} bytes${parts.length > 1 ? ' between commas' : ''}`,
        `${shortestOf(parts)}`,
      )
    },

    secret(name: string, bytesMin: number): string | null {
      const value = given(name)
      if (value === null || Buffer.byteLength(value, 'utf8') >= bytesMin) return value
      throw refuse(name, `at least ${bytesMin} bytes`, `${Buffer.byteLength(value, 'utf8')}`)
    },
  }
}

function listOf(value: string): string[] {
  return value.split(/[,\n]/).map((part) => part.trim())
}

function shortestOf(secrets: readonly string[]): number {
  return Math.min(...secrets.map((secret) => Buffer.byteLength(secret, 'utf8')))
}

const SHOWN_LENGTH_MAX = 60

function show(value: string): string {
  return JSON.stringify(value.length > SHOWN_LENGTH_MAX ? `${value.slice(0, SHOWN_LENGTH_MAX)}…` : value)
}
