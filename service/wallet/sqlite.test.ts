import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { ALL_TABLES } from '../../testing/open-database.ts'
import { openSqlite } from '../store/sqlite.ts'
import { describeBooks } from './books-suite.ts'
import { describeSpend } from './spend-suite.ts'
import { describeStatement } from './statement-suite.ts'
import { describeThresholds } from './thresholds-suite.ts'
import { describeWallet } from './wallet-suite.ts'

const root = mkdtempSync(join(tmpdir(), 'wallet-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
const open = () => {
  folders += 1
  return openSqlite({ folder: join(root, String(folders)), role: 'service', migrations: ALL_TABLES })
}
describeWallet('SQLite', open)
describeSpend('SQLite', open)
describeStatement('SQLite', open)
describeThresholds('SQLite', open)
describeBooks('SQLite', open)
