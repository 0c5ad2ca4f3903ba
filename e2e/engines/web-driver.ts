// As much of W3C WebDriver as a person needs, over fetch.

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const COMMAND_LIMIT_MS = 60_000

export type ElementReference = { [ELEMENT]: string }

export type WebDriverSession = {
  goto(address: string): Promise<void>
  /** The body of a function; what it returns comes back, elements as references. */
  execute(body: string, ...values: unknown[]): Promise<unknown>
  clear(element: ElementReference): Promise<void>
  type(element: ElementReference, text: string): Promise<void>
  /**
   * With the pointer: some drivers believe that what is inside a shadow root is covered by its host, and refuse a plain
   * click.
   */
  point(element: ElementReference): Promise<void>
  /** For an option, which has no place of its own to point at. */
  click(element: ElementReference): Promise<void>
  takePicture(): Promise<Buffer>
  end(): Promise<void>
}

export async function openSession(driver: string, capabilities: object): Promise<WebDriverSession> {
  const created = await command('POST', `${driver}/session`, { capabilities: { alwaysMatch: capabilities } })
  const session = `${driver}/session/${readText(created, 'sessionId')}`
  const post = (path: string, body: object) => command('POST', `${session}/${path}`, body)
  return {
    goto: async (url) => void (await post('url', { url })),
    execute: (script, ...args) => post('execute/sync', { script, args }),
    clear: async (element) => void (await post(`element/${element[ELEMENT]}/clear`, {})),
    type: async (element, text) => void (await post(`element/${element[ELEMENT]}/value`, { text })),
    async point(element) {
      const script = 'arguments[0].scrollIntoView({ block: "center", behavior: "instant" })'
      await post('execute/sync', { script, args: [element] })
      const move = { type: 'pointerMove', duration: 0, origin: element, x: 0, y: 0 }
      const actions = [move, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }]
      await post('actions', { actions: [{ type: 'pointer', id: 'mouse', actions }] })
    },
    click: async (element) => void (await post(`element/${element[ELEMENT]}/click`, {})),
    async takePicture() {
      return Buffer.from(String(await command('GET', `${session}/screenshot`)), 'base64')
    },
    end: async () => void (await command('DELETE', session)),
  }
}

export function isElement(value: unknown): value is ElementReference {
  return typeof value === 'object' && value !== null && ELEMENT in value
}

async function command(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(COMMAND_LIMIT_MS),
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })
  const { value } = (await response.json()) as { value: unknown }
  if (response.ok) return value
  throw new Error(`${readText(value, 'error')}: ${readText(value, 'message')}`)
}

function readText(value: unknown, name: string): string {
  return String(Object(value)[name] ?? '')
}
