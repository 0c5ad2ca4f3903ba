// The first line of the report: whether something needs attention, and a way to it. What the data says, never a
// judgement of the person.
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../form/icon.tsx'
import { Link } from '../form/link.tsx'
import { type Page, usePage } from './page.ts'
import { goTo } from './parts.tsx'
import { fill } from './phrases.ts'
import { isAllSettled } from './read.ts'

/** A colour, never alone: each has a sign and words. */
const SIGNS = { clear: 'done', watch: 'alert', late: 'stop' } satisfies { [level: string]: IconName }

type Finding = {
  level: keyof typeof SIGNS
  title: ComponentChildren
  /** Said of the first. */
  meaning?: string
  /** The section about it. */
  to?: string
}

export function Verdict() {
  const page = usePage()
  const [first, ...others] = findingsOf(page)
  if (!first) return null
  const { level, title, meaning, to } = first
  return (
    <div class={`report-verdict report-level-${level}`}>
      <Icon name={SIGNS[level]} />
      <div>
        <strong>
          <Jump to={to}>{title}</Jump>
        </strong>
        <p>{meaning}</p>
        {others.map(({ title, to }) => (
          <p>
            <Jump to={to}>{title}</Jump>
          </p>
        ))}
      </div>
    </div>
  )
}

/** A finding, and on screen the way to the section about it. */
function Jump({ to, children }: { to: string | undefined; children: ComponentChildren }) {
  const { printing } = usePage()
  if (!to || printing) return children
  return <Link onClick={({ currentTarget }) => goTo(currentTarget, to)}>{children}</Link>
}

/** Worst first. */
function findingsOf({ words, read, report }: Page): Finding[] {
  const { defaults, late, searched } = read.concerns
  const { recentSearches, sources, groups } = read
  const others = late.length - defaults.length
  const unclear = groups.find(({ group }) => group === 'unclear')?.accounts.length ?? 0
  const away = fill(words.away, { agencies: <bdi>{words.list(sources.away)}</bdi> })
  const all: [occurs: number, Finding][] = [
    [defaults.length, { level: 'late', title: words.count(words.inDefault, defaults.length), to: 'late' }],
    [others, { level: 'watch', title: words.count(words.isLate, others), to: 'late' }],
    [unclear, { level: 'watch', title: words.count(words.isUnclear, unclear), to: 'unclear' }],
    [sources.away.length, { level: 'watch', title: away }],
    [report.unreadable, { level: 'watch', title: words.count(words.unreadable, report.unreadable) }],
    [
      searched.length,
      {
        level: 'watch',
        title: words.count(words.toCheck, searched.length),
        meaning: words.toCheckMeaning,
        to: 'searches',
      },
    ],
  ]
  const findings = all.filter(([occurs]) => occurs > 0).map(([, finding]) => finding)
  if (late.length > 0) return findings
  // Only where there is nothing else to say does nothing need attention.
  if (findings.length > 0) return [...findings, { level: 'clear', title: words.clearMeaning }]
  const accounts = isAllSettled(read) ? words.allSettled : words.clearMeaning
  const searches = recentSearches > 0 ? words.count(words.searchesInYear, recentSearches) : words.noSearchesInYear
  return [{ level: 'clear', title: words.clear, meaning: `${accounts} ${searches}` }]
}
