// Reads environment variables one at a time: what each must look like, and the error when it does not.
import { readFileSync } from 'node:fs'

export type Environment = { readonly [name: string]: string | undefined }

/** One line that names the variable, what it should be and what it was. Never shows a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type SettingReader = ReturnType<typeof createSettingReader>

/** The ways a variable can be read. An empty one counts as unset, as shells and compose files write it. */
export function createSettingReader(environment: Environment) {
  const textOf = (name: string) => environment[name]?.trim() || null
  const refuse = (name: string, expected: string, value: string) =>
    new ConfigError(`${name}: expected ${expected}, got ${value}`)

  /** Anything `parse` understands: null means that it does not. */
  function as<T>(name: string, expected: string, parse: (text: string) => T | null, fallback: T): T {
    const value = textOf(name)
    if (value === null) return fallback
    const parsed = parse(value)
    if (parsed !== null) return parsed
    throw refuse(name, expected, show(value))
  }

  /** At least one secret, none of them shorter than `bytesMin`. */
  function longEnough(name: string, bytesMin: number, secrets: string[], expected: string): string[] {
    const shortest = Math.min(...secrets.map((secret) => Buffer.byteLength(secret, 'utf8')))
    if (shortest >= bytesMin) return secrets
    throw refuse(name, expected, `${shortest}`)
  }

  return {
    as,

    string: (name: string, fallback: string): string => textOf(name) ?? fallback,

    flag: (name: string): boolean =>
      as(name, '1 or 0', (value) => (/^[01]$/.test(value) ? value === '1' : null), false),

    whole(name: string, fallback: number, { min, max }: { min: number; max: number }): number {
      const parse = (value: string) => {
        const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
        return number >= min && number <= max ? number : null
      }
      return as(name, `a whole number from ${min} to ${max}`, parse, fallback)
    },

    oneOf<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
      const parse = (value: string) => choices.find((choice) => choice === value) ?? null
      return as(name, `one of ${choices.join(', ')}`, parse, fallback)
    },

    /** A value that another setting cannot do without. */
    needed<T>(value: T | null, name: string, because: string): T {
      if (value !== null) return value
      throw refuse(name, `a value, because ${because}`, 'nothing')
    },

    url(name: string, protocols: readonly string[], { secret = false } = {}): string | null {
      const value = textOf(name)
      if (value === null || (URL.canParse(value) && protocols.includes(new URL(value).protocol))) return value
      const beginnings = protocols.map((protocol) => (protocol === 'mailto:' ? protocol : `${protocol}//`))
      const expected = `an address that begins with ${beginnings.join(' or ')}`
      // A database address usually carries its password, so not even a wrong one is repeated.
      throw refuse(name, expected, secret ? 'something else' : show(value))
    },

    /** Secrets in a file, as orchestrators mount them. */
    secretsFile(name: string, bytesMin: number): string[] | null {
      const path = textOf(name)
      if (path === null) return null
      let text: string
      try {
        text = readFileSync(path, 'utf8').trim()
      } catch {
        throw refuse(name, 'a file that can be read', show(path))
      }
      return longEnough(name, bytesMin, listOf(text), `a file with at least ${bytesMin} bytes`)
    },

    /** Secrets with commas between them. */
    secrets(name: string, bytesMin: number): string[] | null {
      const value = textOf(name)
      if (value === null) return null
      const secrets = listOf(value)
      const where = secrets.length > 1 ? ' between commas' : ''
      return longEnough(name, bytesMin, secrets, `at least ${bytesMin} bytes${where}`)
    },

    secret(name: string, bytesMin: number): string | null {
      const value = textOf(name)
      if (value !== null) longEnough(name, bytesMin, [value], `at least ${bytesMin} bytes`)
      return value
    },
  }
}

function listOf(value: string): string[] {
  return value.split(/[,\n]/).map((part) => part.trim())
}

const SHOWN_LENGTH_MAX = 60

function show(value: string): string {
  return JSON.stringify(value.length > SHOWN_LENGTH_MAX ? `${value.slice(0, SHOWN_LENGTH_MAX)}…` : value)
}
