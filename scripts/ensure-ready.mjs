// The needs of the browser tests. `npm test` sees to it; `npx playwright test` on a fresh clone says so in one line.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ANSWER } from './ensure-browser.mjs'
import { root } from './root.mjs'

/** Ends the process with one line when the tests cannot begin. */
export function stopUnlessReady() {
  const missing = findMissing({ built: join(root, 'dist/.built-from'), browser: ANSWER })
  if (missing === null) return
  console.error(missing)
  process.exit(1)
}

/** The missing step; null when everything is there. */
export function findMissing({ built, browser }) {
  if (!existsSync(built)) return 'playwright: nothing is built yet; run `npm test` once, or `npm run build` first'
  if (!existsSync(browser))
    return 'playwright: no browser was looked for yet; run `npm test` once, or `node scripts/ensure-browser.mjs` first'
  return null
}
