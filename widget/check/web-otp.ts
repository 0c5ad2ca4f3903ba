// https://wicg.github.io/web-otp: Chrome and Edge hand over the code of a text bound to this page's host.

/** Calls back when the consumer lets the browser use the code; returns how to stop waiting. */
export function waitForText(onCode: (code: string) => void): () => void {
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
