// The wallet in a lender's words: what is there and what moved.
import { html } from 'hono/html'
import { CREDITS_PER_PENNY } from '../../contract/limits.ts'
import { showCredits, showPence } from '../../contract/money.ts'
import { priceOf, type Spend } from '../../plugins/limits/spend-caps.ts'
import type { OpenHold, SpendRate } from '../../plugins/statement/statement.ts'
import type { StoredLine } from '../../service/ledger/ledger.ts'
import type { Prices, TenantAccount } from '../../service/ledger/tenants.ts'
import { openInvitations } from '../identity/link-pages.ts'
import type { Invitation } from '../identity/one-time-links.ts'
import type { Membership } from '../identity/users.ts'
import { alert, field, type Markup } from '../pages/layout.ts'
import type { Refusal } from './act-form.ts'
import { PURPOSE_WORDS, poundsProblem, poundsText } from './cap-pages.ts'
import type { Visit } from './frame.ts'
import { checkLink, showMoney, showNumber, showStatus, showTable, showTime } from './show.ts'
import { monthLinks } from './statement-pages.ts'

type WalletView = Pick<Visit, 'press'> & {
  account: TenantAccount
  /** Null: there is no alert. */
  lowBalanceCredits: number | null
  nowMs: number
  rate: SpendRate
  spend: readonly Spend[]
  /** Those with a statement, newest first. */
  months: readonly string[]
  /** Oldest first. */
  holds: readonly OpenHold[]
  hasMoreHolds: boolean
  lines: readonly StoredLine[]
  older: string | null
  mayChange: boolean
  typed: (Refusal & { form: URLSearchParams }) | undefined
}

const MONTHS_SHOWN = 12

export function walletBody(view: WalletView): Markup {
  const { account, rate, spend, months, lines, older, mayChange } = view
  const { reportPriceCredits, textPriceCredits } = account
  return html`<h1>Money</h1>
${alert(warningOf(view))}
<dl class="figures">
  ${figure('Balance', showMoney(account.balanceCredits))}
  ${figure('Held', showMoney(account.heldCredits))}
  ${figure('Spent this month', showMoney(rate.spentThisMonthCredits))}
  ${figure('Lasts for', showDaysLeft(account.balanceCredits, rate))}
</dl>
<p class="hint">A report costs ${showCredits(reportPriceCredits)}, a text ${showCredits(textPriceCredits)}. Times and months are those of the United Kingdom; only the hours and days of spend caps are UTC.</p>
${holdTable(view)}
${spendTable(spend, account)}
${mayChange ? html`<p><a href="/console/caps">Change the spend caps</a></p>` : ''}
${lowBalance(view)}
${monthLinks(months.slice(0, MONTHS_SHOWN))}
<h2>Ledger</h2>
${
  lines.length === 0
    ? html`<p class="lead">Nothing has moved yet. Test mode moves nothing.</p>`
    : showTable({
        label: 'Ledger lines',
        columns: [{ wide: 'Item' }, { number: 'Amount' }, 'Time', { wide: 'Reference' }, 'Check'],
        rows: lines.map((line) => [
          wordsOf(line),
          movement(line),
          showTime(line.createdAtMs),
          line.externalReference ?? '',
          line.creditReportId === null ? '' : checkLink(line.creditReportId),
        ]),
      })
}
${older === null ? '' : html`<p><a href="/console/money?before=${encodeURIComponent(older)}">Older lines</a></p>`}`
}

function warningOf({ account, lowBalanceCredits }: WalletView): string | undefined {
  const { balanceCredits, reportPriceCredits } = account
  if (balanceCredits < reportPriceCredits) {
    return `The balance pays no report: one costs ${showCredits(reportPriceCredits)}. Checks are refused until it is topped up.`
  }
  if (lowBalanceCredits === null || balanceCredits >= lowBalanceCredits) return undefined
  return `The balance is below your alert of ${showCredits(lowBalanceCredits)}.`
}

export function showDaysLeft(balanceCredits: number, { creditsPerDay, days }: SpendRate): Markup {
  if (creditsPerDay === 0)
    return html`<span class="money">Not known <small>nothing was spent in the last ${days === 1 ? 'day' : showDays(days)}</small></span>`
  const left = Math.floor(balanceCredits / creditsPerDay)
  return html`<span class="money">${showDays(left)} <small>at ${showPence(Math.round(creditsPerDay / CREDITS_PER_PENNY))} a day on average in the last ${days === 1 ? 'day' : showDays(days)}</small></span>`
}

function showDays(days: number): string {
  return days === 1 ? '1 day' : `${showNumber(days)} days`
}

function holdTable({ account, holds, hasMoreHolds, nowMs }: WalletView): Markup | string {
  if (holds.length === 0) return ''
  return html`${showTable({
    title: 'Held, oldest first',
    label: 'Credits held for checks in progress',
    columns: ['For', { number: 'Money' }, 'Age', 'Since', { wide: 'Your reference' }, 'Check'],
    rows: holds.map(({ purpose, credits, createdAtMs, externalReference, creditReportId }) => [
      purpose === 'report' ? 'Report' : 'Text',
      showMoney(credits),
      showAge(nowMs - createdAtMs),
      showTime(createdAtMs),
      externalReference ?? '',
      checkLink(creditReportId),
    ]),
  })}
<p class="hint">${hasMoreHolds ? `These are the oldest ${holds.length}. ` : ''}${showCredits(account.heldCredits)} is held in all. A hold is charged when the report or text is delivered, and else given back.</p>`
}

function showAge(ageMs: number): string {
  const minutes = Math.max(0, Math.floor(ageMs / 60_000))
  if (minutes < 1) return 'under a minute'
  if (minutes < 60) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return hours === 1 ? '1 hour' : `${hours} hours`
  return showDays(Math.floor(hours / 24))
}

function spendTable(spend: readonly Spend[], prices: Prices): Markup | string {
  if (spend.length === 0) return ''
  return html`${showTable({
    title: 'Spend caps',
    label: 'Spend caps',
    columns: ['Purpose', 'Per', { number: 'Spent' }, { number: 'Cap' }, 'State'],
    rows: spend.map((each) => [
      PURPOSE_WORDS[each.purpose].many,
      each.period,
      showMoney(each.spentCredits),
      each.capCredits === null ? 'none' : showMoney(each.capCredits),
      capState(each, prices),
    ]),
  })}
<p class="hint">Above a cap, checks are refused until the hour or the day (UTC) is over.</p>`
}

function capState({ purpose, spentCredits, capCredits }: Spend, prices: Prices): Markup | string {
  const price = priceOf(purpose, prices)
  if (capCredits === null) return ''
  if (capCredits < price) return showStatus(`Buys no ${PURPOSE_WORDS[purpose].one}`, 'bad')
  return spentCredits + price > capCredits ? showStatus('Used up', 'bad') : showStatus('Open', 'good')
}

function lowBalance({ lowBalanceCredits, mayChange, typed, press }: WalletView): Markup {
  const state = lowBalanceCredits === null ? 'There is no alert.' : `Set at ${showCredits(lowBalanceCredits)}.`
  if (!mayChange)
    return html`<h2>Low-balance alert</h2>
<p>${state}</p>`
  return html`<form class="panel split" method="post" action="/console/money/low-balance">
  <div><h2>Low-balance alert</h2>
  <p class="hint">${state} Your webhooks get wallet.low once when the balance falls below it, and owners and finance a mail.</p></div>
  <div>
  ${field({
    name: 'thresholdCredits',
    label: 'Balance below which to alert, in pounds',
    hint: 'Leave it empty for no alert.',
    value: typed?.form.get('thresholdCredits') ?? (lowBalanceCredits === null ? '' : poundsText(lowBalanceCredits)),
    error: typed && poundsProblem('thresholdCredits', typed),
    autocomplete: 'off',
    inputmode: 'decimal',
    lengthMax: 20,
    isOptional: true,
  })}
  ${press()}<button class="button" type="submit">Save the alert</button>
  </div>
</form>`
}

export function figure(name: string, value: Markup): Markup {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

const WHAT = { 'top-up': 'Top-up', report: 'Report', match: 'Match of person and number', text: 'Text' } as const
const HOW = { 'top-up': '', hold: 'held', capture: 'charged from what was held', release: 'given back' } as const

function wordsOf({ kind, purpose, creditReportId, agencies }: StoredLine): string {
  if (kind === 'top-up' && creditReportId !== null && agencies) {
    return `Report, given back: ${agencies.delivered} of ${agencies.asked} agencies answered`
  }
  return [WHAT[purpose], HOW[kind]].filter(Boolean).join(', ')
}

/** As the balance sees it: a charge takes what was already held. */
function movement({ kind, credits }: StoredLine): Markup {
  if (kind === 'capture') return html`<span class="minor">${showMoney(credits)}</span>`
  return showMoney(kind === 'hold' ? -credits : credits, { isSigned: true })
}

export function tenantsBody(
  { tenants, user, press }: Pick<Visit, 'tenants' | 'user' | 'press'>,
  invitations: readonly Invitation[],
  problem?: string,
): Markup {
  const isClosed = ({ secondFactorRequired }: Membership) => secondFactorRequired && !user.totpEnabled
  const choices = tenants.filter((tenant) => !isClosed(tenant))
  return html`<h1>Choose a lender</h1>
${alert(problem)}
${openInvitations(invitations)}
${tenants.filter(isClosed).map(
  ({ name }) => html`<section class="panel"><h2>${name} needs two-step sign-in</h2>
  <p>Turn it on in your profile; then you can act for ${name}.</p>
  <p><a class="button" href="/console/profile">Turn on two-step sign-in</a></p></section>`,
)}
${tenants.length === 0 ? html`<p class="lead">You are not a member of any lender. Ask an owner of your lender for an invitation.</p>` : ''}
<ul class="choices">${choices.map(
    ({ id, name }) => html`
  <li><form method="post" action="/console/tenants">${press()}<input type="hidden" name="tenantId" value="${id}"><button class="choice" type="submit">${name}<span>${id}</span></button></form></li>`,
  )}
</ul>`
}
