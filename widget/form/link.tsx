import type { JSX } from 'preact'

/** A button like a link: a real link would change the address of the lender's page. */
export function Link(props: JSX.IntrinsicElements['button']) {
  return <button type="button" class="link" part="link" {...props} />
}
