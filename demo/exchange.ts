// One request and its answer, as the preview's inspector shows it. Secrets never get this far.

export type Exchange = {
  id: number
  /** The run it belongs to; empty for what the demo asks by itself. */
  label: string
  /** The pair: the widget and the proxy, or the proxy and the service. */
  between: 'widget → proxy' | 'proxy → service'
  method: string
  url: string
  startedAtMs: number
  tookMs: number
  request: Message
  /** Null when no answer came. */
  response: (Message & { status: number }) | null
}

export type Message = { headers: [name: string, value: string][]; body: string }
