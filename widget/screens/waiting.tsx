import type { ComponentChildren, JSX } from 'preact'
import { Heading } from './heading.tsx'

export function Waiting({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="waiting">
      <span class="spinner" aria-hidden="true" />
      <Heading>{title}</Heading>
      {children}
    </div>
  )
}
