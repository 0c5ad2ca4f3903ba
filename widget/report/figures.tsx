// The figures of what is owed and regularly paid: a figure, a bar of its parts, and the list of accounts that explains
// the bar.
import type { ComponentChildren } from 'preact'
import type { Money } from '../../contract/money.ts'
import { isOpen } from './accounts.ts'
import { Gradually } from './gradually.tsx'
import { usePage, useWords } from './page.ts'
import { Amount, Company, Missing, Section, Swatch, stretch } from './parts.tsx'
import { fill } from './phrases.ts'
import { owedOn, type Part, paidOn, splitSum } from './shares.ts'

export function Figures() {
  const { words, read } = usePage()
  const { accounts, balances, kinds } = read
  const { owed, mortgages, unreported, payments, unpriced, leftOut } = balances
  const open = accounts.filter(isOpen).length
  // A mortgage stands apart, because it would hide everything else; where it is all there is, it is the figure.
  const isApart = owed.length > 0
  const shown = isApart ? owed : mortgages
  const owedOnShown = splitSum(shown[0], kinds, owedOn).filter(({ kind }) => (kind === 'mortgage') !== isApart)
  const figures: FigureProps[] = [
    {
      id: 'owed',
      title: words.owed,
      sums: shown,
      unknown: unreported,
      parts: owedOnShown,
      notes: [
        isApart && mortgages.length > 0 && fill(words.mortgageApart, { amount: <Sums sums={mortgages} /> }),
        !isApart && mortgages.length > 0 && words.onMortgages,
        unreported > 0 && words.count(words.unreported, unreported),
      ],
    },
    {
      id: 'payments',
      title: words.payments,
      sums: payments,
      unknown: unpriced,
      parts: splitSum(payments[0], kinds, paidOn),
      notes: [
        (open > 0 || leftOut > 0) && words.count(words.onOpenAccounts, open),
        payments.length > 0 && words.paidHowOften,
        unpriced > 0 && words.count(words.unpriced, unpriced),
        leftOut > 0 && words.count(words.leftOut, leftOut),
      ],
    },
  ]
  return (
    <div class="report-figures">
      <Gradually items={figures}>{(figure) => <Figure {...figure} />}</Gradually>
    </div>
  )
}

type FigureProps = {
  id: string
  title: string
  sums: readonly Money[]
  /** Accounts whose part is not reported. */
  unknown: number
  parts: readonly Part[]
  notes: readonly ComponentChildren[]
}

function Figure({ id, title, sums, unknown, parts, notes }: FigureProps) {
  const words = useWords()
  const none = unknown > 0 ? <Missing /> : words.nothing
  return (
    <Section id={id} title={title}>
      <p class="report-sum">{sums.length > 0 ? <Sums sums={sums} /> : none}</p>
      <p class="hint">{notes.map((note) => note && [note, ' '])}</p>
      {parts.length > 0 && (
        <>
          <div class="report-bar" aria-hidden="true">
            {parts.map(({ kind, share }) => (
              <i class={`report-kind-${kind}`} style={stretch(share)} />
            ))}
          </div>
          <ul class="report-legend report-small">
            {parts.map((part) => (
              <li>
                <Swatch kind={part.kind} />
                <PartName {...part} />
                <Amount money={part.money} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

function PartName({ kind, accounts }: Part) {
  const words = useWords()
  const [first, second] = accounts
  return (
    <span>
      {second ? (
        words.count(kind === 'mortgage' ? words.mortgages : words.others, accounts.length)
      ) : (
        <Company name={first?.record.companyName ?? ''} />
      )}
    </span>
  )
}

/** Sums that cannot be added, such as two currencies, stand beside each other. */
function Sums({ sums: [first, ...others] }: { sums: readonly Money[] }) {
  return (
    <>
      <Amount money={first} />
      {others.map((money) => (
        <small>
          {' + '}
          <Amount money={money} />
        </small>
      ))}
    </>
  )
}
