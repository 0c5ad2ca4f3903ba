import { agencyOf } from '../../contract/agencies.ts'
import { listAgencies } from '../agencies.ts'
import { useFrame } from '../frame.ts'

/** Changes with any of the notice's words, in any language: lenders keep it with what was agreed to. */
export const NOTICE_VERSION = '2026-11'

/**
 * Said before "Agree": which agencies are asked, who sees the search, what is read from the device, and where to read
 * more.
 */
export function Notice({ bureaus }: { bureaus: readonly string[] }) {
  const { words, search, privacyUrl } = useFrame()
  const known = bureaus.map(agencyOf).filter(({ website }) => website)
  const agencies = listAgencies(words, bureaus) || words('agencies')
  return (
    <>
      <slot name="search-notice">
        <p>
          {words('searchNotice', { agencies })} {search && words(search === 'hard' ? 'searchHard' : 'searchSoft')}
        </p>
      </slot>
      <p>{words('deviceNotice')}</p>
      <details class="more">
        <summary>{words('noticeMore')}</summary>
        <p>{words('noticeSearch')}</p>
        <p>{words('noticeDevice')}</p>
      </details>
      {known.length > 0 && (
        <p>
          {words('agencyNotices')}{' '}
          {known.map(({ name, website }) => (
            <Away href={`https://${website}/crain`}>{name}</Away>
          ))}
        </p>
      )}
      <slot name="privacy">
        {privacyUrl && (
          <p>
            <Away href={privacyUrl}>{words('privacyNotice')}</Away>
          </p>
        )}
      </slot>
    </>
  )
}

function Away({ href, children }: { href: string; children: string }) {
  return (
    <a class="link" href={href} target="_blank" rel="noopener">
      {children}
    </a>
  )
}

/**
 * Every word inside an element as a reader meets it, the lender's own in its slots included, each link with where it
 * leads.
 */
export function readShown(inside: Node): string {
  return read(inside).replace(/\s+/g, ' ').trim()
}

function read(node: Node): string {
  const assigned = node instanceof HTMLSlotElement ? node.assignedNodes({ flatten: true }) : []
  const inner = assigned.length > 0 ? assigned : [...node.childNodes]
  const words = node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : inner.map(read).join(' ')
  return node instanceof HTMLAnchorElement ? `${words} <${node.href}>` : words
}
