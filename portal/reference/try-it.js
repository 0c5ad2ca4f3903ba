// Sends the forms of the reference page, with the reader's own credentials. Written for browsers as it is: there is nothing to build.
// Ids found in an answer travel to the forms that need them, so generate → code → resend is three clicks.

const RESULT_LENGTH_MAX = 200_000
const TOKEN_MARGIN_MS = 30_000

const callerForm = document.querySelector('#caller')
const publicChoice = document.querySelector('#caller-public')
const idInput = document.querySelector('#caller-id')
const secretInput = document.querySelector('#caller-secret')
const callerStatus = callerForm.querySelector('[role=status]')
let token = null

callerForm.addEventListener('submit', (event) => event.preventDefault())
publicChoice?.addEventListener('change', () => {
  idInput.value = publicChoice.value
  secretInput.value = publicChoice.selectedOptions[0].dataset.secret
})
callerForm.addEventListener('change', () => {
  token = null
  callerStatus.textContent = 'A token is fetched when you send the next request.'
  void fillTenant()
})
for (const form of document.querySelectorAll('form.try')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })
}
if (idInput.value) fill('tenantId', idInput.value)

/** The first lender these credentials may act for. */
async function fillTenant() {
  if (!idInput.value || !secretInput.value) return
  try {
    const headers = { Authorization: `Bearer ${await getToken()}` }
    const [tenant] = await (await fetch('/v1/my/tenants', { headers, cache: 'no-store' })).json()
    fill('tenantId', tenant?.id ?? '')
  } catch (error) {
    callerStatus.textContent = `These credentials were not accepted: ${error.message}`
  }
}

function basic() {
  return `Basic ${btoa(`${idInput.value}:${secretInput.value}`)}`
}

async function send(form) {
  const button = form.querySelector('button')
  button.disabled = true
  report(form, 'Sending…')
  try {
    const startedMs = performance.now()
    const response = await fetch(addressOf(form), await requestOf(form))
    const body = await response.text()
    // The token may have been revoked, or its key replaced: the next request fetches another.
    if (response.status === 401) token = null
    show(form, response, body, performance.now() - startedMs)
    if (response.headers.get('Content-Type')?.includes('json')) carryIds(JSON.parse(body))
  } catch (error) {
    report(form, `The request did not get through: ${error.message}`)
  } finally {
    button.disabled = false
  }
}

function addressOf(form) {
  const query = new URLSearchParams()
  let path = form.dataset.path
  for (const input of form.querySelectorAll('input')) {
    if (input.dataset.in === 'path') path = path.replace(`{${input.name}}`, encodeURIComponent(input.value))
    if (input.dataset.in === 'query' && input.value) query.set(input.name, input.value)
  }
  return query.size > 0 ? `${path}?${query}` : path
}

async function requestOf(form) {
  const headers = new Headers()
  for (const input of form.querySelectorAll('input[data-in=header]')) {
    if (input.value) headers.set(input.name, input.value)
  }
  const type = form.dataset.type
  if (type) headers.set('Content-Type', type)
  if (type.includes('urlencoded')) {
    headers.set('Authorization', basic())
  } else if (idInput.value) headers.set('Authorization', `Bearer ${await getToken()}`)
  const body = bodyOf(form)
  return { method: form.dataset.method.toUpperCase(), headers, body: body ?? null, cache: 'no-store' }
}

/** Always in test mode: what is tried here must cost nothing. */
function bodyOf(form) {
  const input = form.querySelector('textarea')
  if (form.dataset.test === undefined) return input?.value
  input.value = JSON.stringify({ ...JSON.parse(input.value), test: true }, null, 2)
  return input.value
}

async function getToken() {
  if (token && token.renewAtMs > Date.now()) return token.value
  const response = await fetch('/v1/oauth/token', {
    method: 'POST',
    headers: { Authorization: basic() },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  if (!response.ok) throw new Error(`no token (${response.status})`)
  const { access_token: value, expires_in: lifetimeSeconds } = await response.json()
  token = { value, renewAtMs: Date.now() + lifetimeSeconds * 1000 - TOKEN_MARGIN_MS }
  callerStatus.textContent = `Signed in as ${idInput.value} for ${Math.round(lifetimeSeconds / 60)} minutes.`
  return value
}

/** Only the outcome is announced: read out whole, an answer would be minutes long. */
function report(form, words, status = 0) {
  const outcome = form.querySelector('.outcome')
  outcome.textContent = words
  outcome.className = `outcome status-${Math.floor(status / 100)}`
  form.querySelector('.result').replaceChildren()
}

function show(form, response, body, tookMs) {
  report(form, `${response.status} ${response.statusText}`, response.status)
  const facts = [`${Math.round(tookMs)} ms`]
  for (const name of ['X-Request-Id', 'RateLimit-Remaining', 'Retry-After', 'Idempotent-Replayed']) {
    const value = response.headers.get(name)
    if (value !== null) facts.push(`${name}: ${value}`)
  }
  const about = document.createElement('small')
  about.textContent = facts.join(' · ')
  const shown = document.createElement('pre')
  shown.tabIndex = 0
  shown.textContent = pretty(body).slice(0, RESULT_LENGTH_MAX)
  form.querySelector('.result').replaceChildren(about, shown)
}

function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function carryIds(answer) {
  const creditReportId = answer?.data?.creditReportId
  const challengeId = answer?.data?.challenge?.challengeId
  if (creditReportId) fill('creditReportId', creditReportId)
  if (!challengeId) return
  for (const body of document.querySelectorAll('textarea')) {
    body.value = body.value.replace(/("challengeId": ")[^"]*/, `$1${challengeId}`)
  }
}

function fill(name, value) {
  for (const input of document.querySelectorAll(`input[name="${name}"]:required`)) input.value = value
}
