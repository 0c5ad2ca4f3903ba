// Each form of the console has an id of its own: sent twice, it is carried out once. What came of it is shown once, on
// a page that a reload does not make again. The id is sealed with the session and the lender that the form's page
// shows.
//
//   form ──POST──▶ claim ──▶ carried out ──▶ finish ──303──▶ GET …?done=ID ──▶ take: shown ──reload──▶ not again
//        ──POST──▶ claimed before ──────────────────303──▶ GET …?done=ID&again
import { randomBytes } from 'node:crypto'
import { html } from 'hono/html'
import * as z from 'zod/mini'
import type { Clock } from '../../kit/clock.ts'
import { isSameSecret, type KeyList, keyedIndex } from '../../kit/keys.ts'
import { seal, Unsealable, unseal } from '../../kit/seal.ts'
import type { Database } from '../../service/store/database.ts'
import { SESSION_MS } from '../identity/sessions.ts'
import type { Markup } from '../pages/layout.ts'
import type { PressRow } from '../tables.ts'

const PRESS_BYTES = 16
const PRESS_ID = /^[\w-]{22}$/
const PRESS = /^([\w-]{22})\.([\w-]{43})$/
const PLACE = 'console-press'
/** Time for which a secret waits for the page that shows it. */
const SHOWN_WITHIN_MS = 600_000

const Shown = z.object({
  notice: z.string(),
  /** The id of what may be seen this once. */
  opens: z.optional(z.string()),
  /** Shown this once. */
  secret: z.optional(
    z.object({
      title: z.string(),
      hint: z.string(),
      label: z.string(),
      values: z.array(z.string()),
      /** The name of its owner. */
      facts: z.optional(z.record(z.string(), z.string())),
      /** Also drawn as a QR code. */
      qr: z.optional(z.string()),
      /** Also offered as a file of this name. */
      file: z.optional(z.string()),
    }),
  ),
})
/** The message of a page after a form was carried out. */
export type Shown = z.infer<typeof Shown>

export type Taken = { state: 'first'; shown: Shown } | { state: 'running' } | { state: 'again'; hadSecret: boolean }

/** The place of a form: `tenantId` is null on a page that shows no lender. */
type FormPlace = { sessionId: string; tenantId: string | null }

export type Presses = ReturnType<typeof createPresses>

export function createPresses({ database, clock, keys }: { database: Database; clock: Clock; keys: KeyList }) {
  const sealOf = (key: Uint8Array, { sessionId, tenantId }: FormPlace, id: string) =>
    keyedIndex(key, 'console form', `${sessionId}\n${tenantId ?? ''}\n${id}`)

  return {
    /** Goes into every form of the console. */
    field(place: FormPlace): Markup {
      const id = randomBytes(PRESS_BYTES).toString('base64url')
      return html`<input type="hidden" name="press" value="${id}.${sealOf(keys[0], place, id)}">`
    },

    /** The form's id, and which of the lenders its page showed. Null for what no page of this session has sent. */
    read(
      given: string | null,
      { sessionId, tenantIds }: { sessionId: string; tenantIds: readonly string[] },
    ): { id: string; tenantId: string | null } | null {
      const [, id = '', sealed = ''] = PRESS.exec(given ?? '') ?? []
      if (id === '') return null
      const isOf = (tenantId: string | null) =>
        keys.some((key) => isSameSecret(sealOf(key, { sessionId, tenantId }, id), sealed))
      const tenantId = [null, ...tenantIds].find(isOf)
      return tenantId === undefined ? null : { id, tenantId }
    },

    /**
     * True for the first form with this id. Ids are kept as long as a session lasts: no older page can send its form.
     */
    async claim(id: string): Promise<boolean> {
      const sql = 'INSERT INTO console_press (id, created_at_ms) VALUES (?, ?) ON CONFLICT DO NOTHING'
      return (await database.run(sql, id, clock())) === 1
    },

    /** Nothing was done: the same form may be sent again. */
    async release(id: string): Promise<void> {
      await database.run('DELETE FROM console_press WHERE id = ? AND done_at_ms IS NULL', id)
    },

    async finish(id: string, shown: Shown): Promise<void> {
      const sealed = seal(keys, { tenantId: PLACE, rowId: id }, JSON.stringify(shown))
      await database.run(
        'UPDATE console_press SET wrapped_key = ?, content = ?, has_secret = ?, done_at_ms = ? WHERE id = ?',
        sealed.wrappedKey,
        sealed.content,
        shown.secret === undefined ? 0 : 1,
        clock(),
        id,
      )
    },

    /** Deletes secrets that were not shown in time; resolves to the number of forms deleted. */
    async forgetOld(): Promise<number> {
      await database.run(
        'UPDATE console_press SET wrapped_key = NULL, content = NULL WHERE done_at_ms <= ? AND content IS NOT NULL',
        clock() - SHOWN_WITHIN_MS,
      )
      return database.run('DELETE FROM console_press WHERE created_at_ms <= ?', clock() - SESSION_MS)
    },

    /** Of any number of readers at once, one is the first. Null for a form that this session never sent. */
    async take(id: string): Promise<Taken | null> {
      const row = await database.first<PressRow>('SELECT * FROM console_press WHERE id = ?', id)
      if (row === null) return null
      if (row.done_at_ms === null) return { state: 'running' }
      const again: Taken = { state: 'again', hadSecret: row.has_secret === 1 }
      if (row.wrapped_key === null || row.content === null || row.done_at_ms <= clock() - SHOWN_WITHIN_MS) return again
      const sql = 'UPDATE console_press SET wrapped_key = NULL, content = NULL WHERE id = ? AND content IS NOT NULL'
      if ((await database.run(sql, id)) === 0) return again
      try {
        const sealed = { wrappedKey: row.wrapped_key, content: row.content }
        return { state: 'first', shown: Shown.parse(JSON.parse(unseal(keys, { tenantId: PLACE, rowId: id }, sealed))) }
      } catch (error) {
        // SECRET_KEY was replaced within these minutes.
        if (error instanceof Unsealable) return again
        throw error
      }
    },
  }
}

/** As the table has it: each session has ids of its own. Null for what is no id. */
export function pressIdOf(sessionId: string, id: string | null | undefined): string | null {
  return id != null && PRESS_ID.test(id) ? `${sessionId} ${id}` : null
}
