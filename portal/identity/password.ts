// Making and comparing passwords. Only this file knows how they are kept.
import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { isSameSecret } from '../../kit/keys.ts'
import { unavailable } from '../../service/http/api-error.ts'

// 32 MiB and some 100 ms for each guess: OWASP's figures for scrypt where several may be checked at once.
const COST = { N: 32_768, r: 8, p: 3 }
const MEMORY_BYTES_MAX = 64 * 1024 * 1024
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Checks that run at once: guessers must not be able to fill the memory. */
const AT_ONCE_MAX = 2
/**
 * Checks that wait in each of the two queues; one more is sent away. Twenty are ten rounds: the last of them waits for
 * seconds, not minutes.
 */
export const WAITING_MAX = 20

export const PASSWORD_LENGTH_MAX = 256
/** NIST's and ASVS's floor where length is all that is asked. */
export const PASSWORD_LENGTH_MIN = 12

/**
 * Why a password cannot be a person's new one; null when it can. `own`: their name and e-mail address, which others
 * know.
 */
export function problemOfNewPassword(password: string, own: readonly string[] = []): string | null {
  if (password.length > PASSWORD_LENGTH_MAX || [...password].length < PASSWORD_LENGTH_MIN)
    return `The new password must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.`
  return isGuessable(password, own)
    ? 'The new password is too easy to guess. Choose another, such as three words that do not belong together.'
    : null
}

const CHARACTERS_MIN = 5
const LETTERS_LEFT_MIN = 4
const RUNS = [
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'azertyuiop',
  'qwertzuiop',
]
const COMMON =
  'password passwort passw letmein welcome iloveyou administrator admin changeme qwerty monkey dragon football liverpool arsenal chelsea master sunshine princess secret login superman trustno credit report service lender london england summer winter spring autumn'.split(
    ' ',
  )
const LOOKS_LIKE: { [character: string]: string } = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Few characters, or next to nothing besides common words, runs of the keyboard and what is known of the person. */
function isGuessable(password: string, own: readonly string[]): boolean {
  const text = password.toLowerCase()
  if (new Set(text).size < CHARACTERS_MIN) return true
  const runs = RUNS.flatMap((run) => [run, [...run].reverse().join('')]).flatMap(piecesOf)
  const theirs = own.flatMap((each) =>
    each
      .slice(0, PASSWORD_LENGTH_MAX)
      .toLowerCase()
      .split(/[^\p{L}]+/u),
  )
  const words = [...COMMON, ...theirs, ...runs]
  const known = words.filter((word) => word.length >= LETTERS_LEFT_MIN).sort((one, other) => other.length - one.length)
  const spelt = [...text].map((character) => LOOKS_LIKE[character] ?? character).join('')
  return [text, spelt].some((each) => {
    const left = known.reduce((rest, word) => rest.replaceAll(word, ' '), each)
    // Digits and signs beside a known word do not count: guessers add years and exclamation marks.
    return left !== each && left.replace(/[^\p{L}]/gu, '').length < LETTERS_LEFT_MIN
  })
}

/** Every part of a run that is long enough to be one. */
function piecesOf(run: string): string[] {
  const starts = Array.from({ length: run.length - LETTERS_LEFT_MIN + 1 }, (_, start) => start)
  return starts.flatMap((start) =>
    starts.slice(start).map((_, length) => run.slice(start, start + LETTERS_LEFT_MIN + length)),
  )
}

/** The wait of a check. */
export type Turn = {
  /** Ends the wait. */
  signal?: AbortSignal
  /** The caller has signed in before: it waits in a queue of its own, which goes first, so strangers cannot fill it. */
  isKnown?: boolean
}

/** For a person who has signed in or was invited. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, COST, { isKnown: true })
  const { N, r, p } = COST
  return `scrypt$${N}$${r}$${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/**
 * False for a wrong password, and for any password where there is no hash: both take the same time. Throws
 * `unavailable` when too many wait already, and when the caller disconnected before its turn.
 */
export async function matchesPassword(password: string, stored: string | null, turn: Turn = {}): Promise<boolean> {
  const { cost, salt, hash } = readHash(stored ?? NO_ACCOUNT)
  const given = await derive(password, salt, cost, turn)
  return isSameSecret(given, hash) && stored !== null
}

/** For people who do not exist: as much work as for those who do. No password is known to have this hash. */
const NO_ACCOUNT = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`

function readHash(stored: string) {
  const [scheme, N, r, p, salt = '', hash = ''] = stored.split('$')
  const bytes = Buffer.from(hash, 'base64url')
  if (scheme !== 'scrypt' || bytes.length !== HASH_BYTES) throw new TypeError('a stored password hash is unreadable')
  return { cost: { N: Number(N), r: Number(r), p: Number(p) }, salt: Buffer.from(salt, 'base64url'), hash: bytes }
}

type Queue = (() => void)[]

const known: Queue = []
const strangers: Queue = []
let running = 0

async function derive(password: string, salt: Uint8Array, cost: ScryptOptions, turn: Turn): Promise<Buffer> {
  if (running >= AT_ONCE_MAX) await waitForTurn(turn)
  else running += 1
  try {
    return await new Promise((resolve, reject) => {
      // Two ways to type the same letter must be the same password.
      scrypt(password.normalize('NFC'), salt, HASH_BYTES, { ...cost, maxmem: MEMORY_BYTES_MAX }, (error, key) =>
        error ? reject(error) : resolve(key),
      )
    })
  } finally {
    const next = known.shift() ?? strangers.shift()
    if (next) next()
    else running -= 1
  }
}

/** Resolves with the place of one that has finished. */
function waitForTurn({ signal, isKnown = false }: Turn): Promise<void> {
  const waiting = isKnown ? known : strangers
  if (waiting.length >= WAITING_MAX || signal?.aborted) return Promise.reject(unavailable())
  return new Promise((resolve, reject) => {
    const begin = () => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    const leave = () => {
      waiting.splice(waiting.indexOf(begin), 1)
      reject(unavailable())
    }
    signal?.addEventListener('abort', leave, { once: true })
    waiting.push(begin)
  })
}
