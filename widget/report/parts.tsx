// The small pieces every section is made of.
import type { ComponentChildren, CSSProperties } from 'preact'
import { useState } from 'preact/hooks'
import { readAccountStatus } from '../../contract/account-status.ts'
import type { Money } from '../../contract/money.ts'
import type { Account } from './accounts.ts'
import { Heading, usePage, useWords } from './page.ts'
import { fill, nameOf } from './phrases.ts'
import type { Kind } from './shares.ts'

/** Something a person can hide: the inner text goes, and the style sheet writes a word in its place. */
export function Private({ children }: { children: ComponentChildren }) {
  return (
    <span class="report-amount">
      <span>{children}</span>
    </span>
  )
}

export function Amount({ money }: { money: Money | undefined }) {
  const words = useWords()
  if (!money) return <Missing />
  const figure = <Private>{words.money({ ...money, amount: Math.abs(money.amount) })}</Private>
  // A minus sign is easily missed or misread; money in the consumer's favour is said in words.
  return money.amount < 0 ? fill(words.inCredit, { amount: figure }) : figure
}

export function Missing() {
  return <span class="hint">{useWords().notReported}</span>
}

/** A bureau's own words, in their own direction whatever their script; what is not there is said to be not reported. */
export function Reported({ value }: { value: string }) {
  return value ? <bdi>{value}</bdi> : <Missing />
}

export function Company({ name }: { name: string }) {
  return <bdi>{name || useWords().unnamed}</bdi>
}

export function TypeAndEnding({ account: { record, ending } }: { account: Account }) {
  const words = useWords()
  return (
    <>
      <Reported value={nameOf(record.accountType, words.accountTypes)} />
      {ending && (
        <>
          <span aria-hidden="true"> ••&nbsp;{ending}</span>
          <span class="unseen">, {fill(words.ending, { digits: [...ending].join(' ') })}</span>
        </>
      )}
    </>
  )
}

/** In the bureau's own words; a code, in what it stands for. */
export function StatusName({ status }: { status: string }) {
  const { isCode, words } = readAccountStatus(status)
  return <Reported value={nameOf(isCode ? words : status, useWords().accountStatuses)} />
}

/** Spoken letter by letter. */
export function Spelt({ value }: { value: string }) {
  return (
    <>
      <span aria-hidden="true">{value}</span>
      <span class="unseen">{[...value.replace(' ', '')].join(' ')}</span>
    </>
  )
}

/** A word, and for screen readers what it is about. */
export function About({ children, company }: { children: ComponentChildren; company: string }) {
  return (
    <>
      {children}
      <span class="unseen">
        {' '}
        <Company name={company} />
      </span>
    </>
  )
}

/**
 * The start and length of something on a line, 0 to 1. Through the CSSOM, which a policy without `style-src`
 * allows.
 */
export function stretch(share: number, from = 0): CSSProperties {
  return { '--share': String(share), '--from': String(from) } as CSSProperties
}

/** The colour and pattern of an account. It has no words: the name stands beside it. */
export function Swatch({ kind }: { kind: Kind | undefined }) {
  return kind === undefined ? null : <i class={`report-swatch report-kind-${kind}`} aria-hidden="true" />
}

export type Fact = [label: ComponentChildren, value: ComponentChildren]

/** Two columns, always: label and value. */
export function Facts({ facts }: { facts: readonly (Fact | false)[] }) {
  return (
    <dl class="report-facts">
      {facts.map(
        (fact) =>
          fact && (
            <div>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

type DisclosureProps = { summary: ComponentChildren; children: () => ComponentChildren }

/** Opens in place. What is inside is made when it is first opened: most of hundreds never are. Paper has it open. */
export function Disclosure({ summary, children }: DisclosureProps) {
  const { printing } = usePage()
  const [isMade, setMade] = useState(false)
  if (printing) return children()
  return (
    <details onToggle={() => setMade(true)}>
      <summary>{summary}</summary>
      {isMade && children()}
    </details>
  )
}

type SectionProps = { id: string; title: ComponentChildren; children: ComponentChildren }

export function Section({ id, title, children }: SectionProps) {
  return (
    <section part="section">
      <Heading below={1} id={`report-${id}`}>
        {title}
      </Heading>
      {children}
    </section>
  )
}

type FoldProps = Omit<SectionProps, 'children'> & { children: () => ComponentChildren }

/** A section that most people do not need. */
export function Fold({ children, ...rest }: FoldProps) {
  const { printing } = usePage()
  if (printing) return <Section {...rest}>{children()}</Section>
  const summary = (
    <Heading below={1} id={`report-${rest.id}`}>
      {rest.title}
    </Heading>
  )
  return (
    <section class="report-fold" part="section">
      <Disclosure summary={summary}>{children}</Disclosure>
    </section>
  )
}

/** Moves to a heading that is drawn, or waits until it is: what comes above it would push it away again. */
export function goTo(from: Element, id: string): void {
  const report = from.closest('.report')
  if (!report?.isConnected) return
  if (report.querySelector('template')) {
    setTimeout(() => goTo(from, id))
    return
  }
  const heading = report.querySelector<HTMLElement>(`#report-${id}`)
  const fold = heading?.closest('details')
  if (fold) fold.open = true
  heading?.scrollIntoView()
  heading?.focus({ preventScroll: true })
}

/** A page of someone else's. The name is the address, so that paper says it too. */
export function Website({ host }: { host: string }) {
  return (
    <a href={`https://${host}`} target="_blank" rel="noopener noreferrer">
      {host.replace('www.', '')}
    </a>
  )
}
