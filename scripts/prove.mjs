// `npm run prove [name …]`: the long reliability runs (crash, race, fuzz, soak). Each prints its counts; one that
// breaks ends with exit code 1, after the others have run. The counts are kept in docs/operator/reliability.json and
// printed in docs/operator/reliability.md.
// `--scale 0.01` runs a hundredth of everything, to see that it runs; only with `--record` is that written down.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import { buildIfStale } from './build.mjs'
import { recordRuns } from './reliability.mjs'
import { root } from './root.mjs'

const { values, positionals } = parseArgs({
  options: { scale: { type: 'string', default: '1' }, record: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const scale = Number(values.scale)
if (!(scale > 0)) stopWith('--scale must be a number above 0')

// First: importing TypeScript turns this process into one for development, and what it builds with it.
buildIfStale()
const compiler = await createServer({
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
})
const proofs = await findProofs()
const unknown = positionals.filter((name) => !proofs.some((proof) => proof.name === name))
if (unknown.length > 0)
  stopWith(`there is no ${unknown.join(', ')}; choose from ${proofs.map(({ name }) => name).join(', ')}`)

const commit = readCommit()
let allHeld = true
for (const { name, module } of proofs) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  console.log(`\nprove: ${name}`)
  const result = { date: new Date().toISOString().slice(0, 10), commit, scale, ...(await runProof(module)) }
  const { ok, why, seconds, counts } = result
  console.log(`prove: ${name} ${ok ? 'held' : `BROKE (${why})`} after ${seconds} s ${JSON.stringify(counts)}`)
  // After each, because the next may take long.
  // Not what was limited to a few files.
  if ((scale >= 1 && !process.env.MUTATE) || values.record) recordRuns({ proofs, results: { [name]: result } })
  allHeld &&= ok
}
await compiler.close()
// Said outright: a run that was broken off may have left a server or a timer behind.
process.exit(allHeld ? 0 : 1)

/** A run that throws has broken too, and says why. */
async function runProof(module) {
  const startedMs = Date.now()
  const outcome = await module.run({ scale }).catch((error) => ({ ok: false, why: messageOf(error), counts: {} }))
  const { ok, why = 'what was counted says so', counts } = outcome
  return { ok, ...(ok ? {} : { why }), seconds: Math.round((Date.now() - startedMs) / 1000), counts }
}

async function findProofs() {
  const path = join(root, 'prove')
  const files = readdirSync(path).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const found = []
  for (const file of files) {
    const module = await compiler.ssrLoadModule(join(path, file))
    if (typeof module.run === 'function')
      found.push({ name: file.slice(0, -'.ts'.length), module, about: module.about })
  }
  return found
}

function messageOf(error) {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]
}

/** The proved commit, and a mark when anything but these results was changed since. */
function readCommit() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  try {
    const isChanged = git('status', '--porcelain', '--', '.', ':!docs/operator/reliability.*') !== ''
    return git('rev-parse', '--short', 'HEAD') + (isChanged ? ' with changes' : '')
  } catch {
    return 'unknown'
  }
}

function stopWith(sentence) {
  console.error(`prove: ${sentence}`)
  process.exit(2)
}
