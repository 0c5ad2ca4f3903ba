// The wallet in a lender's words: what is there and what moved.
import { html } from 'hono/html'
import type { TenantAccount } from '../../service/tenants/store.ts'
import type { Spend } from '../../service/wallet/spend.ts'
import type { StoredLine } from '../../service/wallet/store.ts'
import { alert, type Markup } from '../pages/layout.ts'
import type { Membership } from '../users.ts'
import type { Visit } from './frame.ts'
import { pressField } from './presses.ts'
import { checkLink, showMoney, showTable, showTime } from './show.ts'

type WalletView = {
  account: TenantAccount
  spend: readonly Spend[]
  lines: readonly StoredLine[]
  older: string | null
  mayChangeCaps: boolean
}

export function walletBody({ account, spend, lines, older, mayChangeCaps }: WalletView): Markup {
  return html`<h1>${account.name}</h1>
<dl class="figures">
  ${figure('Balance', account.balanceCredits)}
  ${figure('Held', account.heldCredits)}
  ${figure('Price of a report', account.reportPriceCredits)}
  ${figure('Price of a text', account.smsPriceCredits)}
</dl>
${spendTable(spend)}
${mayChangeCaps ? html`<p><a href="/console/caps">Change the spend caps</a></p>` : ''}
<h2>Ledger</h2>
${
  lines.length === 0
    ? html`<p class="lead">Nothing has moved yet. Test mode moves nothing.</p>`
    : showTable({
        label: 'Ledger lines',
        columns: [{ wide: 'What' }, { number: 'Money' }, 'When', { wide: 'Reference' }, 'Check'],
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

function spendTable(spend: readonly Spend[]): Markup | string {
  if (spend.length === 0) return ''
  return html`${showTable({
    title: 'Spend caps',
    label: 'Spend caps',
    columns: ['What', 'Per', { number: 'Spent' }, { number: 'Cap' }],
    rows: spend.map(({ purpose, period, spentCredits, capCredits }) => [
      purpose === 'report' ? 'Reports' : 'Text messages',
      period,
      showMoney(spentCredits),
      capCredits === null ? 'none' : showMoney(capCredits),
    ]),
  })}
<p class="hint">Above a cap, checks are refused until the hour or the day (UTC) is over.</p>`
}

function figure(name: string, credits: number): Markup {
  return html`<div><dt>${name}</dt><dd>${showMoney(credits)}</dd></div>`
}

const WHAT = { 'top-up': 'Top-up', report: 'Report', sms: 'Text message' } as const
const HOW = { 'top-up': '', hold: 'held', capture: 'charged from what was held', release: 'given back' } as const

function wordsOf({ kind, purpose, isMatch, creditReportId, agencies }: StoredLine): string {
  if (kind === 'top-up' && creditReportId !== null && agencies) {
    return `Report, given back: ${agencies.delivered} of ${agencies.asked} agencies answered`
  }
  return [isMatch ? 'Match of person and number' : WHAT[purpose], HOW[kind]].filter(Boolean).join(', ')
}

/** As the balance sees it: a charge takes what was already held. */
function movement({ kind, credits }: StoredLine): Markup {
  if (kind === 'capture') return html`<span class="minor">${showMoney(credits)}</span>`
  return showMoney(kind === 'hold' ? -credits : credits, { isSigned: true })
}

export function tenantsBody({ tenants, user }: Pick<Visit, 'tenants' | 'user'>, problem?: string): Markup {
  const isClosed = ({ secondFactorRequired }: Membership) => secondFactorRequired && !user.totpEnabled
  const choices = tenants.filter((tenant) => !isClosed(tenant))
  return html`<h1>Choose a lender</h1>
${alert(problem)}
${tenants.filter(isClosed).map(
  ({ name }) => html`<section class="panel"><h2>${name} needs two-step sign-in</h2>
  <p>Turn it on in your profile; then you can act for ${name}.</p>
  <p><a class="button" href="/console/profile">Turn on two-step sign-in</a></p></section>`,
)}
${tenants.length === 0 ? html`<p class="lead">You are not a member of any lender. Ask an owner of your lender for an invitation.</p>` : ''}
<ul class="choices">${choices.map(
    ({ id, name }) => html`
  <li><form method="post" action="/console/tenants">${pressField()}<input type="hidden" name="tenantId" value="${id}"><button class="choice" type="submit">${name}<span>${id}</span></button></form></li>`,
  )}
</ul>`
}
