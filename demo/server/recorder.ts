// Keeps the latest traffic between widget, proxy and service for the preview's inspector, in memory and without
// secrets.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Exchange, Message } from '../exchange.ts'

const EXCHANGES_KEPT = 400
const BODY_LENGTH_MAX = 200_000

export type Recorder = ReturnType<typeof createRecorder>

export function createRecorder() {
  const kept: Exchange[] = []
  const waiting = new Set<() => void>()
  const currentLabel = new AsyncLocalStorage<string>()
  let lastId = 0

  async function record(
    between: Exchange['between'],
    request: Request,
    answer: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    const startedAtMs = Date.now()
    const startedMs = performance.now()
    const asked = await readMessage(request)
    let response: Response | null = null
    try {
      response = await answer(request)
      return response
    } finally {
      keep({
        label: currentLabel.getStore() ?? '',
        between,
        method: request.method,
        url: request.url,
        startedAtMs,
        tookMs: Math.round(performance.now() - startedMs),
        request: asked,
        response: response && { status: response.status, ...(await readMessage(response)) },
      })
    }
  }

  // Numbered when it is whole: a number that is given and not yet kept would be news that cannot be found.
  function keep(exchange: Omit<Exchange, 'id'>): void {
    kept.push({ id: ++lastId, ...exchange })
    kept.splice(0, kept.length - EXCHANGES_KEPT)
    for (const tell of [...waiting]) tell()
  }

  return {
    /** Answers a browser's request; everything asked of the service on the way is recorded under the same label. */
    recordVisit: (label: string, request: Request, answer: (request: Request) => Promise<Response>) =>
      currentLabel.run(label, () => record('widget → proxy', request, answer)),

    /** A `fetch` that records. */
    wrapFetch(ask: typeof fetch): typeof fetch {
      return (input, init) => record('proxy → service', new Request(input, init), (request) => ask(request))
    },

    /** The exchanges after an id, oldest first. */
    since: (id: number): Exchange[] => kept.filter((exchange) => exchange.id > id),

    /** Resolves to true as soon as there is something newer than an id, to false when nothing came in time. */
    waitForNews(id: number, limitMs: number): Promise<boolean> {
      if (lastId > id) return Promise.resolve(true)
      return new Promise((resolve) => {
        const settle = (hasNews: boolean) => {
          clearTimeout(timer)
          waiting.delete(tell)
          resolve(hasNews)
        }
        const tell = () => settle(true)
        const timer = setTimeout(() => settle(false), limitMs)
        timer.unref()
        waiting.add(tell)
      })
    },
  }
}

async function readMessage(message: Request | Response): Promise<Message> {
  // A copy: the receiver reads the message untouched.
  const text = await message
    .clone()
    .text()
    .catch(() => '')
  return hideSecrets({ headers: [...message.headers], body: text.slice(0, BODY_LENGTH_MAX) })
}

const HIDDEN = '…'

/** Takes out what must not leave the server: tokens, client secrets, sealed cookies. What they are stays visible. */
export function hideSecrets({ headers, body }: Message): Message {
  return {
    headers: headers.map(([name, value]) => [name, hideHeader(name.toLowerCase(), value)]),
    body: body
      .replace(/("(?:access_token|refresh_token|id_token)"\s*:\s*")[^"]*/g, `$1${HIDDEN}`)
      .replace(/\b(client_secret=)[^&]*/g, `$1${HIDDEN}`),
  }
}

function hideHeader(name: string, value: string): string {
  switch (name) {
    case 'authorization':
      return value.replace(/^(\w+) .*/, `$1 ${HIDDEN}`)
    case 'cookie':
      return value.replace(/=[^;]*/g, `=${HIDDEN}`)
    case 'set-cookie':
      return value.replace(/=[^;]*/, `=${HIDDEN}`)
    default:
      return value
  }
}
