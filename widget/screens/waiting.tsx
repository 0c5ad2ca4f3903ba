import type { ComponentChildren } from 'preact'
import { Heading } from '../form/heading.tsx'

/** A wait keeps the height of what comes after it, so that the page below does not jump up and down again. */
export function Waiting({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="waiting">
      <span class="spinner" aria-hidden="true" />
      <Heading>{title}</Heading>
      {children}
      <div class="skeleton" aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
    </div>
  )
}
