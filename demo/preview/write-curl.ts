import type { Exchange } from '../exchange.ts'

/** Headers a person repeating the request would not write. */
const LEFT_OUT =
  /^(?:accept-encoding|accept-language|connection|content-length|host|keep-alive|sec-.*|user-agent|referer|priority|pragma|cache-control)$/i

/** Steps outside the single quotes, where a shell fills in a variable. */
const CLIENT_SECRET = `client_secret='"$CLIENT_SECRET"'`

/** The request as a command for a terminal. What was hidden becomes a variable to fill in. */
export function writeCurl({
  method,
  url,
  request: { headers, body },
}: Pick<Exchange, 'method' | 'url' | 'request'>): string {
  const lines = [`curl ${quote(url)}`]
  if (method !== 'GET') lines.push(`-X ${method}`)
  for (const [name, value] of headers) {
    if (!LEFT_OUT.test(name)) lines.push(`-H ${header(name, value)}`)
  }
  if (body !== '') lines.push(`--data-raw ${quote(body).replace('client_secret=…', CLIENT_SECRET)}`)
  return lines.join(' \\\n  ')
}

function header(name: string, value: string): string {
  if (/^authorization$/i.test(name)) return `"Authorization: ${value.replace('…', '$TOKEN')}"`
  if (/^cookie$/i.test(name)) return '"Cookie: $COOKIE"'
  return quote(`${name}: ${value}`)
}

/** In single quotes nothing means anything; a single quote itself has to step outside. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
