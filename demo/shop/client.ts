// The lender's own page around the widget: it does nothing before it ends, and then it asks its server, not the
// browser.
import './shop.css'
import './phone.css'
import { showPence } from '../../contract/money.ts'
import { FORGET_PARAMETER } from '../../contract/proxy-path.ts'
import type { Prefill } from '../../widget/fields/answers.ts'
import { startPhone } from './phone.ts'
import { OrderState, type ShownDecision } from './wire.ts'

const ASK_EVERY_MS = 400
const ASKS_MAX = 25
const LINK_ASK_EVERY_MS = 2_000
const LINK_ASKS_MAX = 900
const LINK_SENT = 'Sent: open it on your phone. This page goes on by itself.'

const widget = byId('check-title').parentElement?.querySelector('credit-report-widget')
const decision = byId('decision')
const phone = startPhone(widget)

widget?.addEventListener('credit-report-challenged', () => phone.expectText())
widget?.addEventListener('credit-report-complete', () => {
  phone.putAway()
  void showDecision()
})
void showEarlierDecision()
byId('fill').addEventListener('click', () => {
  const sample: Prefill = {
    firstName: 'Sam',
    lastName: 'Example',
    dateOfBirth: '1985-03-27',
    mobileNumber: '07700 900123',
    email: 'sam@example.com',
    addresses: [
      {
        buildingNumber: '10',
        thoroughfare: 'Orchard Lane',
        townOrCity: 'Ambleford',
        postcode: 'SW1A 1AA',
        movedIn: '2019-05',
      },
    ],
  }
  if (widget) Object.assign(widget, { prefill: sample })
  widget?.scrollIntoView({ behavior: 'smooth', block: 'start' })
})

byId('send-link').addEventListener('click', async () => {
  const [status, button] = [...byId('elsewhere').children]
  const response = await fetch('/link', { method: 'POST' }).catch(() => null)
  if (status) status.textContent = response?.ok ? LINK_SENT : 'No link could be sent. Try again.'
  if (!response?.ok) return
  button?.remove()
  phone.expectText()
  await followLink()
})

/** Until the check behind the link is complete. */
async function followLink(): Promise<void> {
  for (let ask = 0; ask < LINK_ASKS_MAX && decision.hidden; ask++) {
    await new Promise((resolve) => setTimeout(resolve, LINK_ASK_EVERY_MS))
    if (!document.hidden) await showEarlierDecision()
  }
}

/** The event is only a hint; what the server heard from the service decides. */
async function showDecision(): Promise<void> {
  for (let ask = 0; ask < ASKS_MAX; ask++) {
    const made = await fetchDecision()
    if (made) return render(made)
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
}

/** A decision outlives its report. */
async function showEarlierDecision(): Promise<void> {
  const made = await fetchDecision()
  if (made) render(made)
}

async function fetchDecision(): Promise<ShownDecision | null> {
  const locale = widget?.getAttribute('locale') || document.documentElement.lang
  const response = await fetch(`/order?locale=${encodeURIComponent(locale)}`).catch(() => null)
  return response?.ok ? OrderState.parse(await response.json()).decision : null
}

function render({ outcome, openAccounts, monthlyCommitmentsPence, notice }: ShownDecision): void {
  const approved = outcome === 'approved'
  const seal = element('span', '', 'seal')
  if (approved) seal.append(drawTick())
  else seal.textContent = '…'
  const again = element('button', 'Start again')
  again.addEventListener('click', startAgain)
  const accounts = openAccounts === 1 ? '1 open account' : `${openAccounts} open accounts`
  decision.replaceChildren(
    seal,
    element('h2', notice?.title ?? (approved ? 'Approved, in principle' : 'A person will look at this')),
    element(
      'p',
      `From our own copy of your report: ${accounts}, ${showPence(monthlyCommitmentsPence)} in regular payments.`,
    ),
    ...(notice ? drawNotice(notice) : []),
    again,
  )
  decision.hidden = false
  byId('check-title').scrollIntoView({ block: 'start' })
  const lastStep = byId('last-step')
  const checkStep = lastStep.previousElementSibling
  checkStep?.classList.replace('now', 'done')
  checkStep?.removeAttribute('aria-current')
  checkStep?.querySelector('.dot')?.replaceChildren(drawTick())
  lastStep.className = 'now'
  lastStep.setAttribute('aria-current', 'step')
}

/** As the law wants it said: who was asked, how to reach them, and what can be done. */
function drawNotice({ lead, agencies, steps }: NonNullable<ShownDecision['notice']>): HTMLElement[] {
  const list = (items: Node[]) => {
    const made = element('ul', '')
    made.append(...items)
    return made
  }
  return [
    element('p', lead),
    list(
      agencies.map(({ name, address, telephone, website }) =>
        element('li', [name, address, telephone, website].join(', ')),
      ),
    ),
    list(steps.map((step) => element('li', step))),
  ]
}

async function startAgain(): Promise<void> {
  await fetch('/order', { method: 'POST' })
  // Else the widget would come back to the check that is complete.
  await fetch(`/credit-reports/current?${FORGET_PARAMETER}=1`, { method: 'DELETE' })
  location.reload()
}

/** As on the steps before this one. */
function drawTick(): Node | string {
  return document.querySelector('.tick')?.cloneNode(true) ?? ''
}

function element(tag: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(tag)
  made.textContent = text
  made.className = className
  return made
}

function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found
}
