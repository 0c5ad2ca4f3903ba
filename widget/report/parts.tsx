// The small pieces every section is made of.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Money } from '../../contract/money.ts'
import { usePage, useWords } from './page.ts'
import { fill, nameOf } from './phrases.ts'

/** An amount a person can hide: the inner text goes, and the style sheet writes a word in its place. */
export function Amount({ money }: { money: Money | undefined }) {
  const words = useWords()
  if (!money) return <Missing />
  const figure = (
    <span class="report-amount">
      <span>{words.money({ ...money, amount: Math.abs(money.amount) })}</span>
    </span>
  )
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

/** Within a sentence, other words than on a card stand for a name that is missing. */
export function Company({ name, unnamed }: { name: string; unnamed?: string }) {
  const words = useWords()
  return <Reported value={name || (unnamed ?? words.unnamed)} />
}

export function AccountType({ type }: { type: string }) {
  return <Reported value={nameOf(type, useWords().accountTypes)} />
}

/** The last digits, spoken one by one. */
export function Ending({ digits }: { digits: string }) {
  return digits ? <Spelt value={digits} /> : <Missing />
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

export type Fact = [label: ComponentChildren, value: ComponentChildren]

export function Facts({ facts, ...rest }: { facts: Fact[]; class: string }) {
  return (
    <dl {...rest}>
      {facts.map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type DisclosureProps = { summary: ComponentChildren; children: () => ComponentChildren }

/** Opens in place. What is inside is made when it is first opened: most of hundreds never are. */
export function Disclosure({ summary, children }: DisclosureProps) {
  const { printing } = usePage()
  const [opened, setOpened] = useState(printing)
  return (
    <details open={printing} onToggle={() => setOpened(true)}>
      <summary>{summary}</summary>
      {opened && children()}
    </details>
  )
}

type GraduallyProps<Item> = { items: readonly Item[]; children: (item: Item) => ComponentChildren }

/**
 * A list, an item after each frame: drawn at once, a long one would hold up a tap on a slow phone. Each item holds the next, so that none is
 * drawn twice. A template is where more is to come. Paper gets everything at once.
 */
export function Gradually<Item>({ items, children }: GraduallyProps<Item>) {
  const { printing } = usePage()
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setDue(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  if (printing) return items.map(children)
  if (!isDue) return <template />
  const later = items.slice(1)
  return (
    <>
      {items.slice(0, 1).map(children)}
      {later.length > 0 && <Gradually items={later}>{children}</Gradually>}
    </>
  )
}

/** A page of someone else's. The name is the address, so that paper says it too. */
export function Website({ host }: { host: string }) {
  return (
    <a href={`https://${host}`} target="_blank" rel="noopener noreferrer">
      {host.replace('www.', '')}
    </a>
  )
}
