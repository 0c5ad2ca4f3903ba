// Follows the check of this page's link: on this device by the widget's events, on another one by asking how the link stands.
const check = document.getElementById('check')
const [away, done, elsewhere, handOff] = ['away', 'done', 'elsewhere', 'hand-off'].map((id) =>
  document.getElementById(id),
)
const { path, lender, back } = check.dataset
const widget = check.querySelector('credit-report-widget')
const ASK_MS = 2_000
const ASK_LATER_MS = 10_000
/** After so many answers the page asks less often. */
const ASK_OFTEN = 300
const READ_MS = 4_000
let asks = 0
let isOver = false

widget.strings = { lender }

function show(section) {
  if (!section.hidden) return
  check.hidden = section === away || !widget.value
  for (const each of [away, done]) each.hidden = each !== section
  handOff?.remove()
  section.focus()
}

widget.addEventListener('credit-report-complete', () => {
  isOver = true
  done.hidden = false
  handOff?.remove()
})
widget.addEventListener('credit-report-challenged', () => handOff?.remove())
widget.addEventListener('credit-report-next', () => location.assign(back))

async function ask() {
  const answer = await fetch(`${path}/state`, { headers: { Accept: 'application/json' } })
  const state = await answer.json()
  // Revoked, or expired before a check began: the page says so.
  if (state.status === 'over') return location.reload()
  if (state.isElsewhere) elsewhere.textContent = check.dataset.elsewhere
  if (state.isOthers && state.status === 'started') show(away)
  if (state.isOthers && state.status === 'complete' && away.hidden === false) {
    isOver = true
    show(done)
    if (back) setTimeout(() => location.assign(back), READ_MS)
  }
  // The other device's check ended without a report: it can be begun here again.
  if (!state.isOthers && away.hidden === false) location.reload()
}

async function follow() {
  if (isOver) return
  asks += 1
  if (!document.hidden) await ask().catch(() => {})
  setTimeout(follow, asks > ASK_OFTEN ? ASK_LATER_MS : ASK_MS)
}
setTimeout(follow, ASK_MS)
