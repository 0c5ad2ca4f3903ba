import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useWords } from '../frame.ts'
import { Waiting } from './waiting.tsx'

const SLOW_AFTER_MS = 15_000

export function Sending({ isResumed }: { isResumed: boolean }) {
  const words = useWords()
  const slow = useSignal(false)
  useEffect(() => {
    const timer = setTimeout(() => {
      slow.value = true
    }, SLOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Waiting title={words(isResumed ? 'stillSendingTitle' : 'sendingTitle')}>
      <p class="lead">{words('sendingLead')}</p>
      <p role="status" class="notice">
        {slow.value && `${words('slowTitle')}. ${words('slowLead')}`}
      </p>
    </Waiting>
  )
}
