// Checks an export of your audit trail: that it is one chain without a gap, and that it leads to a head you kept.
// Needs Node 20 and nothing else.
//
//   node verify-trail.mjs audit-acme.jsonl head.json https://service.example/.well-known/jwks.json
//
// The first file is the console's download as JSON lines, without filters. The second is an audit.head event as your
// webhook got it, or an item of `GET /{tenantId}/v1/audit/heads`.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [exported, kept, jwksUrl] = process.argv.slice(2)

const head = await readHead(readFileSync(kept, 'utf8'))
const lines = readFileSync(exported, 'utf8').split('\n').filter(Boolean)
const events = lines
  .map((line) => JSON.parse(line))
  .filter(({ position }) => position !== undefined) // Not linked yet: of the last seconds.
  .sort((one, other) => one.position - other.position)

const [first] = events
if (first === undefined) fail('the export has no events')
let position = first.position - 1
let previous = position === 0 ? '' : position === head.deletedPosition ? head.deletedHash : null
for (const event of events) {
  position += 1
  if (event.position !== position) fail(`event ${position} is missing`)
  // Older events were deleted after their time since this head was signed: the chain begins with what is left.
  if (previous !== null && hashOf(event, previous) !== event.hash) fail(`event ${position} was changed`)
  previous = event.hash
  if (position === head.position && event.hash !== head.hash) fail(`event ${position} is not the one of the head`)
}
if (position < head.position) fail(`the export ends at event ${position}, the head is event ${head.position}`)
if (first.position > head.position) fail(`the head is older than everything in the export: take a newer one`)
console.log(`whole: events ${first.position} to ${position}, through the head of ${head.at}`)

function hashOf(event, before) {
  const { actor, object, objectName, from, to, address } = event
  const fields = [event.id, event.createdAt, actor.kind, actor.id, actor.name, actor.email, event.action]
  fields.push(object, objectName, from, to, address, event.outcome)
  const content = ['audit-1', head.tenantId, event.position, before, ...fields.map((field) => field ?? null)]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

/** The head in a compact JWS (ES256), if a published key signed it. */
async function readHead(text) {
  const [jws = ''] = /eyJ[\w-]*\.[\w-]+\.[\w-]+/.exec(text) ?? []
  const [header, payload, signature] = jws.split('.')
  if (signature === undefined) fail('the head has no JWS')
  const { keys } = await (await fetch(jwksUrl)).json()
  const { kid, typ } = decode(header)
  const key = keys.find((each) => each.kid === kid)
  if (key === undefined || typ !== 'audit-head') fail('the head is not signed by a key of this address')
  const publicKey = { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }
  const isSigned = verify('sha256', `${header}.${payload}`, publicKey, Buffer.from(signature, 'base64url'))
  if (!isSigned) fail('the head is not as it was signed')
  return decode(payload)
}

function decode(part) {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}

function fail(problem) {
  console.error(`BROKEN: ${problem}`)
  process.exit(1)
}
