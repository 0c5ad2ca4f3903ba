// Pages a lender might put the widget on.
import type { ServerResponse } from 'node:http'

export type PageOptions = {
  /** The element's own attributes, as HTML. */
  attributes?: string
  /** The content of the element, as HTML. */
  inside?: string
  /** Goes into the head before the widget's script, as HTML. */
  head?: string
  /** Goes before the element, as HTML. */
  before?: string
  /** Goes after the element, as HTML. */
  after?: string
  /** The widget's script tag. */
  script?: string
  /** The fingerprint script's tag. */
  fingerprint?: string
  /** Everything, from the doctype on, where the page is unlike all others. */
  document?: (parts: { scripts: string; element: string }) => string
  doctype?: string
  html?: string
  /** Response headers. */
  headers?: { [name: string]: string }
}

export function answerPage(options: PageOptions | undefined, response: ServerResponse): void {
  if (!options) return void response.writeHead(404).end()
  const { attributes = '', inside = '', head = '', before = '', after = '', headers = {} } = options
  const {
    doctype = '<!doctype html>',
    html = 'lang="en"',
    script = '<script async src="/credit-reports/widget.js"></script>',
    fingerprint = '<script async src="/v1/fingerprints/device"></script>',
  } = options
  const scripts = `${fingerprint}
${script}`
  const element = `<credit-report-widget ${attributes}>${inside}</credit-report-widget>`
  const { document = () => ordinary } = options
  const ordinary = `${doctype}<html ${html}><head><meta charset="utf-8"><title>Checkout</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${head}
${scripts}
</head><body>${before}<main><h1>Checkout</h1>${element}</main>${after}</body></html>`
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers })
  response.end(document({ scripts, element }))
}
