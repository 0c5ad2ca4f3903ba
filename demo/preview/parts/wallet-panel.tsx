import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { showCredits } from '../../../contract/money.ts'
import { spacedReference } from '../../../contract/short-reference.ts'
import { stageOf } from '../../stages.ts'
import { readWallet } from '../api.ts'
import { makeReceipts, type Receipt } from '../receipt.ts'
import { exchanges, journey } from '../state.ts'
import type { WalletState } from '../wire.ts'

const REFRESH_AFTER_MS = 400
const RECEIPTS_SHOWN = 20

/** The lender's balance, and the cost of each check. */
export function WalletPanel(): JSX.Element {
  const state = useSignal<WalletState | null>(null)
  const trouble = useSignal('')
  const { stage } = journey.value
  const newest = exchanges.value.at(-1)?.id

  // Every request may have moved credits; a burst of them is one look.
  useEffect(() => {
    const timer = setTimeout(() => {
      readWallet(stage).then(
        (read) => {
          state.value = read
          trouble.value = ''
        },
        (error: unknown) => {
          trouble.value = error instanceof Error ? error.message : String(error)
        },
      )
    }, REFRESH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [stage, newest])

  if (trouble.value) return <p class="empty">{trouble.value}</p>
  if (!state.value) return <p class="empty">Counting.</p>
  const { wallet, lines } = state.value
  const receipts = makeReceipts(lines).slice(0, RECEIPTS_SHOWN)
  return (
    <>
      <dl class="wallet">
        <div class="wallet-balance">
          <dt>{wallet.tenantId} can spend</dt>
          <dd>
            {showCredits(wallet.balanceCredits)} <small>{wallet.balanceCredits.toLocaleString('en-GB')} credits</small>
          </dd>
        </div>
        <Fact title="Held" credits={wallet.heldCredits} />
        <Fact title="A report" credits={wallet.reportPriceCredits} />
        <Fact title="A text" credits={wallet.textPriceCredits} />
      </dl>
      {stageOf(stage).mount === 'test' && (
        <p class="note">This flow is in test mode: it costs nothing and leaves no line.</p>
      )}
      <h3>Receipts</h3>
      {receipts.length === 0 && <p class="empty">No check has cost anything yet. Try a live flow, or the shop.</p>}
      <ol class="receipts">
        {receipts.map((receipt) => (
          <ReceiptView key={receipt.creditReportId} receipt={receipt} />
        ))}
      </ol>
      <details class="ledger">
        <summary>Ledger, {lines.length} lines</summary>
        <table>
          <tbody>
            {lines.map(({ id, createdAt, kind, purpose, credits }) => (
              <tr key={id}>
                <td>{new Date(createdAt).toLocaleTimeString('en-GB')}</td>
                <td>{kind === purpose ? kind : `${kind} ${purpose}`}</td>
                <td class="number">{credits.toLocaleString('en-GB')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}

function Fact({ title, credits }: { title: string; credits: number }): JSX.Element {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {showCredits(credits)} <small>{credits.toLocaleString('en-GB')} credits</small>
      </dd>
    </div>
  )
}

const PURPOSES = { report: 'Credit report', match: 'Match of person and number', text: 'Text message' } as const

function ReceiptView({
  receipt: { creditReportId, startedAt, lines, costCredits, heldCredits },
}: {
  receipt: Receipt
}): JSX.Element {
  return (
    <li class="receipt">
      <p>
        <time>{new Date(startedAt).toLocaleTimeString('en-GB')}</time>{' '}
        <a href={`${document.body.dataset.service}/console/checks/${creditReportId}`} title={creditReportId}>
          {spacedReference(creditReportId)}
        </a>
      </p>
      <table>
        <tbody>
          {lines.map(({ purpose, credits, outcome }) => (
            <tr class={outcome === 'charged' ? '' : 'muted'}>
              <th scope="row">{PURPOSES[purpose]}</th>
              <td>{outcome}</td>
              <td class="number">{credits}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Paid</th>
            <td>{showCredits(costCredits)}</td>
            <td class="number">{costCredits}</td>
          </tr>
          {heldCredits > 0 && (
            <tr>
              <th scope="row">Held</th>
              <td>{showCredits(heldCredits)}</td>
              <td class="number">{heldCredits}</td>
            </tr>
          )}
        </tfoot>
      </table>
    </li>
  )
}
