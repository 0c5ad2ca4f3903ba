import type { Bureau } from '../bureaus.ts'

/** The page where an agency takes disputes without an account. */
const DISPUTES: { [id: string]: string } = {
  equifax: 'www.equifax.co.uk/contact-us',
  experian: 'ins.experian.co.uk/contact',
  transunion: 'www.transunionstatreport.co.uk/DisputesFAQs',
}

/**
 * The agency's own page; its home page where the table has none, and its name alone where this version does not know
 * it.
 */
export function AgencyLink({ agency: { id, name, website } }: { agency: Bureau }) {
  const page = Object.hasOwn(DISPUTES, id) ? DISPUTES[id] : website
  return page ? <Website page={page}>{name}</Website> : <bdi>{name}</bdi>
}

/** A page of someone else's, with its address: paper and people who do not follow links need it. */
export function Website({ page, children }: { page: string; children?: string }) {
  return (
    <a href={`https://${page}`} target="_blank" rel="noopener noreferrer">
      {children && <bdi>{children}: </bdi>}
      {page.replace('www.', '')}
    </a>
  )
}
