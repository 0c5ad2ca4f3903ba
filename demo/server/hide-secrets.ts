import type { Message } from '../exchange.ts'

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
