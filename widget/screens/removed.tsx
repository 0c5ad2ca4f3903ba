import { addressLines } from '../fields/address.ts'
import type { Flow } from '../flow/flow.ts'
import { Link } from '../form/link.tsx'
import { useWords } from '../frame.ts'
import type { Session } from '../session.ts'

/** That an address was removed, and the way to have it back: one press was all it took. */
export function Removed({ session, flow }: { session: Session; flow: Flow }) {
  const words = useWords()
  if (!flow.removed) return null
  const [line = ''] = addressLines(flow.removed.address)
  return (
    <p class="notice" role="status">
      {words('removed', { address: line })} <Link onClick={() => session.send({ type: 'undo' })}>{words('undo')}</Link>
    </p>
  )
}
