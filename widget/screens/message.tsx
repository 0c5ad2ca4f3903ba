import type { ComponentChildren } from 'preact'
import { Heading } from '../form/heading.tsx'
import { Icon, type IconName } from '../form/icon.tsx'

type MessageProps = { icon: IconName; title: string; children: ComponentChildren }

/** A screen without inputs: an icon, a heading, what it means and what can be done. */
export function Message({ icon, title, children }: MessageProps) {
  return (
    <div class={`outcome ${icon}`}>
      <Icon name={icon} />
      <Heading>{title}</Heading>
      {children}
    </div>
  )
}

type ActionProps = { isWaiting?: boolean; isSecondary?: boolean; onClick: () => void; children: ComponentChildren }

export function Action({ isWaiting = false, isSecondary = false, onClick, children }: ActionProps) {
  return (
    <div class="actions">
      <button
        type="button"
        class={isSecondary ? 'button secondary' : 'button'}
        part={isSecondary ? 'button-secondary' : 'button'}
        aria-disabled={isWaiting}
        onClick={() => isWaiting || onClick()}
      >
        {children}
      </button>
    </div>
  )
}
