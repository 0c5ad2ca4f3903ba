// A device session: what was seen of one browser, under an id that browser can show later.
//
//   open ──▶ unclaimed ──claim──▶ one consumer's ──60 min──▶ hashes only ──30 days──▶ gone
//                └────────60 min────────▶ gone
import * as z from 'zod/mini'
import type { GenerateRequest } from '../../contract/generate.ts'
import { type Clock, DAY_MS, HOUR_MS } from '../../kit/clock.ts'
import { foldName } from '../../kit/fold-name.ts'
import type { KeyList } from '../../kit/keys.ts'
import { familyOf, publicNetworkOf } from '../../kit/network.ts'
import type { DeviceFacts } from '../providers/providers.ts'
import type { Database } from '../store/database.ts'
import { DELETE_ROWS_MAX } from '../store/sweep-rows.ts'
import { observe } from './observe.ts'
import { type DeviceKeys, deriveDeviceKeys, isSessionId, keyedHash, mintSessionId } from './session-id.ts'
import { profileOf, readSignals } from './signals.ts'
import type { SessionRow } from './tables.ts'

const SESSION_LIFETIME_MS = HOUR_MS
/** Retention of a claimed session's hashes: long enough to see one device used for many names. */
const HASH_RETENTION_MS = 30 * DAY_MS

/** A browser asking for a session. */
export type Sighting = {
  /** The script's signals; null when it could send none. */
  body: string | null
  headers: Headers
  /** The address of the request; null when the service cannot know. */
  address: string | null
}

/** A lender showing a session while asking for a report. */
export type SessionUse = {
  tenantId: string
  sessionId: string
  /** `ipAddress` is the consumer's, as the lender saw it. */
  consumer: Pick<GenerateRequest, 'lastName' | 'dateOfBirth' | 'ipAddress'>
}

export type DeviceSessions = ReturnType<typeof createDeviceSessions>
type DeviceSessionsOptions = { database: Database; secretKeys: KeyList; clock: Clock }

export function createDeviceSessions({ database, secretKeys, clock }: DeviceSessionsOptions) {
  const allKeys = secretKeys.map(deriveDeviceKeys)
  const newest = deriveDeviceKeys(secretKeys[0])
  return {
    /** Resolves to the id once the session is stored, so that an id can be used at once. */
    async open({ body, headers, address }: Sighting): Promise<string> {
      const sessionId = mintSessionId(newest)
      const nowMs = clock()
      const signals = readSignals(body ?? '')
      const profiled = Object.keys(signals).length > 0
      const network = address === null ? null : publicNetworkOf(address)
      const agent = headers.get('User-Agent') ?? ''
      await database.run(
        `INSERT INTO device_session
          (session_hash, opened_at_ms, expires_at_ms, signals, profiled, network_hash, device_hash)
          VALUES (?, ?, ?, ?, ?, ?, ?)`,
        keyedHash(newest, 'session', sessionId),
        nowMs,
        nowMs + SESSION_LIFETIME_MS,
        JSON.stringify({ ...signals, oddities: observe(signals, headers).join(',') }),
        profiled ? 1 : 0,
        hashNetwork(newest, network),
        keyedHash(newest, 'device', [profileOf(signals), agent, network ?? ''].join('\n')),
      )
      return sessionId
    },

    /**
     * The facts of the session, which from now on belongs to this consumer alone. Asking again for the same consumer
     * gives the same answer. Null when the id is unknown, expired or another consumer's. Of two consumers who ask at
     * once, one gets null.
     */
    async claim({ tenantId, sessionId, consumer }: SessionUse): Promise<DeviceFacts | null> {
      // The keys that made a session's id also hashed its values.
      const keys = allKeys.find((each) => isSessionId(each, sessionId))
      if (keys === undefined) return null
      const nowMs = clock()
      const sessionHash = keyedHash(keys, 'session', sessionId)
      // First names are left out: people write theirs in more ways than one.
      const identity = [tenantId, foldName(consumer.lastName), consumer.dateOfBirth].join('\n')
      const consumerHash = keyedHash(keys, 'consumer', identity)
      const [row, counted] = await database.batch(tenantId, (queries) =>
        Promise.all([
          queries.first<SessionRow>(
            `UPDATE device_session SET tenant_id = ?, consumer_hash = ?
              WHERE session_hash = ? AND expires_at_ms >= ? AND (consumer_hash IS NULL OR consumer_hash = ?) RETURNING *`,
            tenantId,
            consumerHash,
            sessionHash,
            nowMs,
            consumerHash,
          ),
          // The number of recent consumers on this device at this lender. Never across lenders: that would be tracking.
          queries.first<{ consumers: number }>(
            `SELECT COUNT(DISTINCT consumer_hash) AS consumers FROM device_session WHERE tenant_id = ?
              AND device_hash = (SELECT device_hash FROM device_session WHERE session_hash = ?)`,
            tenantId,
            sessionHash,
          ),
        ]),
      )
      if (row === null) return null
      const signals = StoredSignals.parse(JSON.parse(row.signals ?? '{}'))
      const network = compareNetworks(row.network_hash, hashNetwork(keys, publicNetworkOf(consumer.ipAddress)))
      return {
        profiled: row.profiled === 1,
        seenSecondsAgo: Math.max(0, Math.floor((nowMs - row.opened_at_ms) / 1000)),
        signals: { ...signals, network, consumers: String(counted?.consumers ?? 0) },
      }
    },

    /**
     * Forgets what has outlived its purpose; resolves to how many rows it changed. Any number of processes may run it.
     */
    async sweep(): Promise<number> {
      const nowMs = clock()
      const some = (condition: string) =>
        `session_hash IN (SELECT session_hash FROM device_session WHERE ${condition} LIMIT ${DELETE_ROWS_MAX})`
      const known = 'expires_at_ms < ? AND signals IS NOT NULL'
      const unused = await database.run(
        `DELETE FROM device_session WHERE ${some(`${known} AND consumer_hash IS NULL`)}`,
        nowMs,
      )
      const reduced = await database.run(
        `UPDATE device_session SET signals = NULL WHERE ${some(`${known} AND consumer_hash IS NOT NULL`)}`,
        nowMs,
      )
      const old = await database.run(
        `DELETE FROM device_session WHERE ${some('expires_at_ms < ?')}`,
        nowMs - HASH_RETENTION_MS,
      )
      return unused + reduced + old
    },
  }
}

const StoredSignals = z.record(z.string(), z.string())

/**
 * True when the consumer who asks for a report is on the network that opened the session. Only a hint for the risk
 * provider: phones change from Wi-Fi to mobile data, and lenders sit behind proxies. Hashes begin with the address
 * family; a browser may use IPv6 towards us and IPv4 towards the lender, which cannot be compared.
 */
export function compareNetworks(seen: string | null, shown: string | null): 'same' | 'other' | 'unknown' {
  if (seen === null || shown === null || seen[0] !== shown[0]) return 'unknown'
  return seen === shown ? 'same' : 'other'
}

function hashNetwork(keys: DeviceKeys, network: string | null): string | null {
  return network && `${familyOf(network)}:${keyedHash(keys, 'network', network)}`
}
