// Sections that few people open: letters to the agencies, what to do when something is wrong, what the words mean. A
// chunk of its own, fetched with its words when the first of them is opened. Paper has none of it.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Link } from '../form/link.tsx'
import { useFrame } from '../frame.ts'
import type { HelpStrings } from './help/strings.ts'
import { usePage } from './page.ts'
import { About, Disclosure } from './parts.tsx'

type Help = [typeof import('./help/index.tsx'), HelpStrings]
type Draw = (...help: Help) => ComponentChildren

/** "I do not recognise this": a letter. */
export function Unrecognised({ company, children }: { company: string; children: Draw }) {
  const { words, printing } = usePage()
  if (printing) return null
  return (
    <Disclosure summary={<About company={company}>{words.unrecognised}</About>}>
      {() => <WithHelp>{children}</WithHelp>}
    </Disclosure>
  )
}

/** Draws what is inside as soon as it is here. */
export function WithHelp({ children }: { children: Draw }) {
  const { words } = usePage()
  const { addStyles } = useFrame()
  const { translation } = words.shared
  const [help, setHelp] = useState<Help | 'failed' | null>(null)
  const load = async () => {
    setHelp(null)
    try {
      const [parts, strings] = await Promise.all([import('./help/index.tsx'), translation?.help?.()])
      addStyles(parts.helpCss)
      setHelp([parts, strings ?? parts.helpStrings])
    } catch {
      setHelp('failed')
    }
  }
  // Again when the language changes.
  useEffect(() => void load(), [translation])
  if (help === null) return <p role="status">{words.shared('loading')}</p>
  if (help !== 'failed') return children(...help)
  return (
    <p role="alert">
      {words.helpFailed} <Link onClick={load}>{words.shared('tryAgain')}</Link>
    </p>
  )
}
