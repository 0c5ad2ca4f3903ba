import { useRef, useState } from 'preact/hooks'
import { usePage } from './page.ts'
import { Missing } from './parts.tsx'

/** An agency's reference with a button that copies it. Where the browser refuses, the text is selected for copying by hand. */
export function Reference({ reference }: { reference: string }) {
  const { words, printing } = usePage()
  const [copied, setCopied] = useState(false)
  const shown = useRef<HTMLElement>(null)
  if (!reference.trim()) return <Missing />

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(reference)
      setCopied(true)
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
    }
  }
  return (
    <>
      <bdi ref={shown}>{reference}</bdi>{' '}
      {!printing && (
        <button type="button" class="link" part="link" onClick={copy}>
          {words.copy}
          <span class="unseen"> {reference}</span>
        </button>
      )}{' '}
      <span role="status">{copied && words.copied}</span>
    </>
  )
}
