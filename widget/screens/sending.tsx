import { useEffect, useState } from 'preact/hooks'
import { useWords } from '../frame.ts'
import { Waiting } from './waiting.tsx'

const SLOW_AFTER_MS = 15_000

export function Sending({ isResumed }: { isResumed: boolean }) {
  const words = useWords()
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setSlow, SLOW_AFTER_MS, true)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Waiting title={words(isResumed ? 'stillSendingTitle' : 'sendingTitle')}>
      <p class="lead">{words('sendingLead')}</p>
      <p role="status" class="notice">
        {isSlow && `${words('slowTitle')}. ${words('slowLead')}`}
      </p>
    </Waiting>
  )
}
