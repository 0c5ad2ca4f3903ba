// Serves the built widget with a report that is ready, under the strictest policy a lender could have, so that every
// test also proves that policy.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** No styles at all: `style-src` falls back to 'none'. */
const STRICT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export type Look = {
  sample: string
  theme: string
  locale: string
  test: boolean
  /** The answer of each agency. @default all three answered */
  agencies?: { [id: string]: string }
  /** For how long the report can be opened again. @default 15 minutes */
  opensForSeconds?: number
  /** More attributes of the element. @default none */
  attributes?: string
  /** The lender's content between the tags. @default nothing */
  content?: string
  /** Attributes of the page around it. @default none */
  page?: string
}

export type Served = {
  /** When the samples were drawn up. */
  preparedAtMs: number
  /** The address of a page that shows one. */
  page(look: Look): string
  close(): Promise<void>
}

type Samples = { samples: { [name: string]: () => unknown }; SAMPLE_PREPARED_AT_MS: number }
type Answer = [type: string, body: string]

const ANSWERED = { equifax: 'answered', experian: 'answered', transunion: 'answered' }
const OPENS_FOR_SECONDS = 15 * 60

/** Answers on a free port as a lender's server would to someone whose report is ready. */
export async function serveReportPage(): Promise<Served> {
  const { samples, SAMPLE_PREPARED_AT_MS: preparedAtMs } = await loadSamples()
  const looks: Look[] = []

  function answer(path: string, nonce: string | null): Answer | null {
    const [, kind = '', name = ''] = /^\/(page|credit-reports)\/(.+)$/.exec(path) ?? []
    const look = looks[Number.parseInt(name, 10)]
    if (kind === 'page' && look) return ['text/html', writePage(look, `/credit-reports/${name}`)]
    if (name.endsWith('.js')) return ['text/javascript', readFile(`../../dist/widget/${name}`)]
    if (!look || !name.endsWith('/current')) return null
    const { agencies = ANSWERED, opensForSeconds = OPENS_FOR_SECONDS } = look
    const data = {
      status: 'complete',
      creditReportId: 'report-1',
      creditReport: samples[look.sample]?.(),
      agencies: Object.entries(agencies).map(([id, status]) => ({ id, status })),
      ...(opensForSeconds > 0 && { opening: { expiresInSeconds: opensForSeconds, attemptsRemaining: 3 } }),
    }
    return ['application/json', JSON.stringify({ meta: { test: look.test, nonce }, data })]
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const found = answer(pathname, searchParams.get('nonce'))
    if (!found) return response.writeHead(404).end()
    const [type, body] = found
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': STRICT_POLICY })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    preparedAtMs,
    page: (look) => `http://localhost:${port}/page/${looks.push(look) - 1}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const readFile = (path: string) => readFileSync(here(path), 'utf8')

function writePage({ theme, locale, attributes = '', content = '', page = '' }: Look, endpoint: string): string {
  return `<!doctype html><html lang="en-GB" ${page}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>Larkfield Cars</title><script async src="/credit-reports/widget.js"></script></head>
<body><header><h1>Larkfield Cars</h1></header>
<main><credit-report-widget endpoint="${endpoint}" theme="${theme}" locale="${locale}" ${attributes}>${content}</credit-report-widget></main></body></html>`
}

/** The samples are TypeScript of the widget's own, so they are built before they are run. */
async function loadSamples(): Promise<Samples> {
  // Not with Vite, which would make a process for production of this worker and of all it starts.
  const bundle = await rolldown({ input: here('../../testing/report-samples.ts') })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
}
