import { useEffect, useRef, useState } from 'preact/hooks'
import type { Challenge } from '../flow/challenge.ts'
import { clockMoved, readClock, remainingMs } from '../flow/deadline.ts'
import { useWords } from '../frame.ts'
import type { Words } from '../strings/words.ts'

type Props = { challenge: Challenge; onTimeUp: () => void; onClockMoved: () => void }

/** Seconds left at which the time is announced. The figures themselves are not a live region. */
const SPOKEN_SECONDS = [120, 60, 30, 10]
/** First delay before the server is asked again whether the code has expired; doubled each time. */
const ASK_AGAIN_MS = 3_000

export function Countdown({ challenge, onTimeUp, onClockMoved }: Props) {
  const words = useWords()
  const { deadline } = challenge
  const [secondsLeft, setSecondsLeft] = useState(() => readSeconds(challenge))
  const shown = useRef(secondsLeft)
  const [spoken, setSpoken] = useState('')

  useEffect(() => {
    let timer = 0
    let asked = false
    let askAgainMs = ASK_AGAIN_MS
    const tick = () => {
      // Coming back to the page ticks as well: one of two chains would go on for ever, by a deadline that has changed
      // since.
      clearTimeout(timer)
      const now = readClock()
      const leftMs = remainingMs(deadline, now)
      const before = shown.current
      const left = Math.ceil(leftMs / 1000)
      shown.current = left
      setSecondsLeft(left)
      const passed = SPOKEN_SECONDS.findLast((limit) => before > limit && left <= limit)
      if (passed) setSpoken(words('timeLeft', { time: sayDuration(words, passed) }))
      if (!asked && clockMoved(deadline, now)) {
        asked = true
        onClockMoved()
      }
      if (leftMs === 0) onTimeUp()
      timer = window.setTimeout(tick, leftMs === 0 ? askAgainMs : leftMs % 1000 || 1000)
      if (leftMs === 0) askAgainMs *= 2
    }
    tick()
    // People leave for their messages, and the page's timers sleep meanwhile.
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [deadline])

  return (
    <>
      <p class="timer" part="timer">
        {words('codeTime')} <span role="timer">{showSeconds(secondsLeft)}</span>
      </p>
      <p class="unseen" role="status">
        {spoken}
      </p>
    </>
  )
}

/** `272` → `4:32`. */
function showSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** `90` → `1 minute`, `30` → `30 seconds`. */
export function sayDuration(words: Words, seconds: number): string {
  return seconds >= 60 ? words('minutes', { n: Math.floor(seconds / 60) }) : words('seconds', { n: seconds })
}

function readSeconds({ deadline }: Challenge): number {
  return Math.ceil(remainingMs(deadline, readClock()) / 1000)
}
