import type { TargetedClipboardEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { CODE_LENGTH, TEST_MODE_CODE } from '../../contract/limits.ts'
import { readCode } from '../fields/code.ts'
import { today } from '../fields/date.ts'
import { findMobileProblems, mobileField } from '../fields/person.ts'
import { readInput } from '../fields/typed.ts'
import type { Challenge } from '../flow/challenge.ts'
import type { Flow, ScreenNamed } from '../flow/flow.ts'
import { placeOf } from '../flow/form-steps.ts'
import { FormField, TextField } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { useWords } from '../frame.ts'
import type { Session } from '../session.ts'
import { sayNotice, type Words } from '../strings/words.ts'
import { Countdown } from './countdown.tsx'
import { Resend } from './resend.tsx'

/** A quicker answer speaks for itself, and would only be talked over. */
const ANNOUNCED_AFTER_MS = 1_000

type Props = { session: Session; screen: ScreenNamed<'code'>; flow: Flow }

export function CodeScreen({ session, screen, flow }: Props) {
  const words = useWords()
  const { challenge, busy, problems, notice } = screen
  const form = useRef<HTMLDivElement>(null)
  const number = sayNumber(words, challenge)
  const { lifetimeMinutes } = challenge

  // The browser offers the code of an arriving text; once the person has allowed it there is nothing left to press.
  useEffect(
    () =>
      waitForText((code) => {
        const input = form.current?.querySelector('input')
        if (input) input.value = code
        session.send({ type: 'code', code })
      }),
    [challenge.deadline],
  )

  // The digits of an earlier text are of no use with the next one.
  useEffect(() => {
    const input = form.current?.querySelector('input')
    if (busy === 'resend' && input) input.value = ''
  }, [busy])

  return (
    <div ref={form} class={busy === 'verify' ? 'busy' : ''}>
      <Form
        title={words('codeTitle')}
        place={placeOf('code', flow, today())}
        typed={{}}
        problems={problems}
        submit={busy === 'verify' ? 'codeChecking' : 'continue'}
        onSubmit={(typed) => session.send({ type: 'code', code: readInput(typed, 'code') })}
        after={<Resend session={session} screen={screen} flow={flow} />}
      >
        <p class="lead">
          {words('codeLead', { number })} {lifetimeMinutes > 0 && words('codeWorksFor', { n: lifetimeMinutes })}
        </p>
        {flow.test && <p class="strip">{words('testCode', { code: TEST_MODE_CODE })}</p>}
        <TextField
          name="code"
          hint="codeHint"
          look={{ width: 'code' }}
          input={{
            part: 'input code',
            inputMode: 'numeric',
            autocomplete: 'one-time-code',
            translate: false,
            dir: 'ltr',
            ...passwordManagersKeepOut,
            readOnly: busy === 'verify',
            onPaste: takePaste,
            onFocus: ({ currentTarget }) => problems.length > 0 && currentTarget.select(),
          }}
        />
        <Countdown
          challenge={challenge}
          onTimeUp={() => session.send({ type: 'time-up' })}
          onClockMoved={session.sync}
        />
        <Checking isBusy={busy === 'verify'} />
        <p class="notice" role="status">
          {notice && sayNotice(words, notice, { number })}
        </p>
      </Form>
    </div>
  )
}

// The code is no password: 1Password, LastPass, Bitwarden and Dashlane would cover it with an offer to save or fill
// one.
const passwordManagersKeepOut = {
  'data-1p-ignore': '',
  'data-lpignore': 'true',
  'data-bwignore': '',
  'data-form-type': 'other',
}

/** Says that the code is being checked, where that takes long enough to wonder. The button shows it at once. */
function Checking({ isBusy }: { isBusy: boolean }) {
  const words = useWords()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (!isBusy) return
    const timer = setTimeout(setLate, ANNOUNCED_AFTER_MS, true)
    return () => clearTimeout(timer)
  }, [isBusy])
  return (
    <p class="unseen" role="status">
      {isLate && words('codeChecking')}
    </p>
  )
}

function sayNumber(words: Words, { mobileNumberEnding: ending }: Challenge): string {
  return ending ? words('numberEnding', { ending }) : words('numberPlain')
}

// A whole message was pasted: only its code goes into the box.
function takePaste(event: TargetedClipboardEvent<HTMLInputElement>): void {
  const code = readCode(event.clipboardData?.getData('text') ?? '')
  if (code.length !== CODE_LENGTH) return
  event.preventDefault()
  event.currentTarget.value = code
}

// https://wicg.github.io/web-otp: Chrome and Edge hand over the code of a text bound to this page's host.

/** Calls back when the consumer lets the browser use the code; returns how to stop waiting. */
function waitForText(onCode: (code: string) => void): () => void {
  const waiting = new AbortController()
  if ('OTPCredential' in window) {
    const request = { otp: { transport: ['sms'] }, signal: waiting.signal }
    navigator.credentials.get(request).then(
      (credential) => {
        const code: unknown = credential && Reflect.get(credential, 'code')
        if (typeof code === 'string' && !waiting.signal.aborted) onCode(code)
      },
      // Declined, timed out or not allowed here: the person types it.
      () => undefined,
    )
  }
  return () => waiting.abort()
}

type MobileProps = { session: Session; screen: ScreenNamed<'mobile'>; flow: Flow }

/** Another number for the code. */
export function MobileScreen({ session, screen, flow }: MobileProps) {
  const words = useWords()
  const { answers, mobile } = flow
  return (
    <Form
      title={words('changeNumberTitle')}
      place={placeOf('code', flow, today())}
      typed={answers.person}
      problems={screen.problems}
      recheck={(typed) => findMobileProblems(typed, mobile)}
      submit="sendCode"
      onSubmit={(typed) => session.send({ type: 'mobile', typed })}
      onBack={(typed) => session.send({ type: 'back', typed })}
    >
      <p class="lead">{words('changeNumberLead')}</p>
      <FormField name="mobileNumber" field={mobileField({ ...mobile, isRequired: true })} />
    </Form>
  )
}
