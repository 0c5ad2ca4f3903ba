// Making and comparing passwords. Only this file knows how they are kept.
import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { isSameSecret } from '../kit/keys.ts'
import { unavailable } from '../service/http/errors.ts'

// 32 MiB and some 100 ms for each guess: OWASP's figures for scrypt where several may be checked at once.
const COST = { N: 32_768, r: 8, p: 3 }
const MEMORY_BYTES_MAX = 64 * 1024 * 1024
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Checks that run at once: guessers must not be able to fill the memory. */
const AT_ONCE_MAX = 2
/** Checks that wait in each of the two queues; one more is sent away. Twenty are ten rounds: the last of them waits for seconds, not minutes. */
export const WAITING_MAX = 20

export const PASSWORD_LENGTH_MAX = 256
/** NIST's and ASVS's floor where length is all that is asked. */
export const PASSWORD_LENGTH_MIN = 12

/** Why a password cannot be a person's new one; null when it can. */
export function problemOfNewPassword(password: string): string | null {
  if (password.length <= PASSWORD_LENGTH_MAX && [...password].length >= PASSWORD_LENGTH_MIN) return null
  return `The new password must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.`
}

/** How a check waits. */
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
 * False for a wrong password, and for any password where there is no hash: both take the same time. Throws `unavailable`
 * when too many wait already, and when the caller disconnected before its turn.
 */
export async function matchesPassword(password: string, stored: string | null, turn: Turn = {}): Promise<boolean> {
  const { cost, salt, hash } = readHash(stored ?? NOBODY)
  const given = await derive(password, salt, cost, turn)
  return isSameSecret(given, hash) && stored !== null
}

/** For people who do not exist: as much work as for those who do. No password is known to have this hash. */
const NOBODY = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`

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
