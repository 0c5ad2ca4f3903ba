import { useWords } from '../frame.ts'
import type { Session } from '../session.ts'

/** For another person at the same device. It asks first, because it undoes the check. */
export function StartOver({ session }: { session: Session }) {
  const words = useWords()
  return (
    <details class="more">
      <summary>{words('startOver')}</summary>
      <p>{words('startOverLead')}</p>
      <button
        type="button"
        class="button secondary"
        part="button-secondary"
        onClick={() => session.send({ type: 'start-over' })}
      >
        {words('startOverAction')}
      </button>
    </details>
  )
}
