import { useWords } from '../frame.ts'
import type { Session } from '../session.ts'
import { Action, Message } from './message.tsx'

/** Part of the form: nothing was sent, and nothing has to be loaded to say so. */
export function UnderAge({ session }: { session: Session }) {
  const words = useWords()
  return (
    <Message icon="stop" title={words('underAgeTitle')}>
      <p class="lead">{words('underAgeLead')}</p>
      <Action onClick={() => session.send({ type: 'change' })}>{words('underAgeAction')}</Action>
      <slot name="alternative-route" />
    </Message>
  )
}
