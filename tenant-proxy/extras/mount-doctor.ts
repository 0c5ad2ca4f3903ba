// Optional. Looks at the mount from outside, as a browser reaches it: `proxy.doctor({ url })`. What stands in front of
// a mount, or answers in its place, never reaches the proxy, so that nothing else on the server can tell.
import { randomUUID } from 'node:crypto'
import { PROXY_ERROR_STATUS } from '../../contract/error.ts'
import { HARMLESS_PATHS, HARMLESS_WRITE, judgeAnswer, type SeenAnswer } from '../../contract/mount-answers.ts'
import { NONCE_PARAMETER } from '../../contract/proxy-path.ts'
import { nodeTransport, type TransportResponse } from '../client/transport.ts'
import { WIDGET_FILE } from '../widget-files.ts'
import { CHECK_TIMEOUT_MS } from './account.ts'
import { bad, type Diagnosis, good } from './diagnosis.ts'

/** The cookie that shows whether cookies come back. */
const isProbe = (cookie: string) => cookie.split('=', 1)[0]?.endsWith('-probe') === true

type Asked = { method: 'GET' | 'POST'; headers?: Record<string, string>; body?: string }

/** `url` is the mount as browsers see it, such as `https://www.lender.example/credit-reports`. */
export async function examineMount(url: string): Promise<Diagnosis> {
  const mount = URL.canParse(url) ? new URL(url) : null
  if (mount === null || !/^https?:$/.test(mount.protocol)) {
    const fix = 'give the address that browsers see, such as https://www.lender.example/credit-reports'
    return bad('mount', `\`url\` is no address: ${JSON.stringify(url)}`, fix)
  }
  const endpoint = mount.pathname.replace(/\/$/, '')
  const base = mount.origin + endpoint
  try {
    return (
      (await examineScript(`${base}/${WIDGET_FILE}`)) ??
      (await examineAnswers(base, endpoint)) ??
      good('mount', `answers at ${base} as it should`)
    )
  } catch {
    const fix = 'is the server that has the mount running, and may this machine reach it?'
    return bad('mount', `nothing answers at ${base}`, fix, { stops: 'unavailable' })
  }
}

/** A page that gets anything else for the script shows nothing at all. */
async function examineScript(url: string): Promise<Diagnosis | null> {
  const { status, header } = await ask(url, { method: 'GET' })
  const type = header('Content-Type') ?? 'no type'
  if (status === 200 && /javascript/.test(type)) return null
  const to = header('Location')
  const what = to ? `is redirected to ${to}` : `is answered ${status} (${type})`
  const fix =
    'mount the proxy before what answers every path, redirects it or puts a prefix before it, and set `path` to what the server gets'
  return bad('mount', `the script at ${url} ${what}`, fix, { code: 'mount-path', stops: 'misconfigured' })
}

async function examineAnswers(base: string, endpoint: string): Promise<Diagnosis | null> {
  const { slash, first } = await readFirst(base)
  // Twice, because a cache shows itself in the second answer, and a cookie that is dropped on its way back too.
  const second = await read(base, slash, first.cookie)
  for (const answer of [first, second]) {
    const found = judge({ asked: 'read', ...answer }, endpoint)
    if (found) return found
  }
  if (first.cookie === null || second.cookie !== null) {
    const message = first.cookie === null ? 'a new browser gets no cookie' : 'a cookie does not come back to the proxy'
    const fix = 'let what stands in front pass `Set-Cookie` and `Cookie` on as they are'
    return bad('mount', message, fix, { code: 'cookies-lost', stops: 'misconfigured' })
  }
  const headers = {
    'Content-Type': 'application/json',
    Origin: new URL(base).origin,
    'Sec-Fetch-Site': 'same-origin',
    Cookie: first.cookie,
  }
  for (const path of HARMLESS_PATHS) {
    const write = await see(base + path + slash, { method: 'POST', headers, body: JSON.stringify(HARMLESS_WRITE) })
    const found = judge({ asked: 'write', ...write }, endpoint)
    if (found) return found
  }
  return null
}

/** As the widget: a redirect that only adds a slash is followed, and holds for what comes after. */
async function readFirst(base: string): Promise<{ slash: string; first: Read }> {
  const first = await read(base, '', null)
  const isSlashed = first.redirectedTo !== null && new URL(first.redirectedTo).pathname === `${first.path}/`
  return isSlashed ? { slash: '/', first: await read(base, '/', null) } : { slash: '', first }
}

type Read = Seen & { nonce: string }

async function read(base: string, slash: string, cookie: string | null): Promise<Read> {
  const nonce = randomUUID()
  const headers = cookie === null ? {} : { Cookie: cookie }
  return { nonce, ...(await see(`${base}/current${slash}?${NONCE_PARAMETER}=${nonce}`, { method: 'GET', headers })) }
}

function judge(answer: SeenAnswer, endpoint: string): Diagnosis | null {
  const found = judgeAnswer(answer, { endpoint, isOwnCode: (code) => Object.hasOwn(PROXY_ERROR_STATUS, code) })
  if (found === null) return null
  // Reported by their own lines.
  const isElsewhere = ['proxy-misconfigured', 'wallet-empty', 'service-away'].includes(found.code)
  return bad('mount', found.problem.replace(/\.$/, ''), found.fix.replace(/\.$/, ''), {
    ...(!isElsewhere && { code: 'mount-fronted' as const }),
    stops: 'misconfigured',
  })
}

type Seen = Omit<SeenAnswer, 'asked' | 'nonce'> & { cookie: string | null }

async function see(url: string, asked: Asked): Promise<Seen> {
  const { status, header, body } = await ask(url, asked)
  const location = header('Location')
  const isAway = status >= 300 && status < 400 && location !== null
  return {
    path: new URL(url).pathname,
    status,
    redirectedTo: isAway && URL.canParse(location, url) ? new URL(location, url).href : null,
    isHtml: /html/.test(header('Content-Type') ?? ''),
    json: body,
    cookie: (header('Set-Cookie') ?? '').split(/[;,\s]/).find(isProbe) ?? null,
  }
}

/** Node's own client: the option `fetch` is for the way to the service. */
function ask(url: string, { method, headers = {}, body }: Asked): Promise<TransportResponse> {
  const all = { Accept: '*/*', ...headers }
  return nodeTransport({ method, url, headers: all, timeoutMs: CHECK_TIMEOUT_MS, ...(body !== undefined && { body }) })
}
