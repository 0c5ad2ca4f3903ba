// Pages a lender might put the widget on.
import type { ServerResponse } from 'node:http'

export type PageOptions = {
  /** The element's own attributes, as HTML. */
  attributes?: string
  /** What is inside the element, as HTML. */
  inside?: string
  /** Goes into the head before the widget's script, as HTML. */
  head?: string
  /** Goes before the element, as HTML. */
  before?: string
  /** Goes after the element, as HTML. */
  after?: string
  /** The widget's script tag. */
  script?: string
  doctype?: string
  html?: string
  /** Response headers. */
  headers?: { [name: string]: string }
}

export function answerPage(options: PageOptions, response: ServerResponse): void {
  const { attributes = '', inside = '', head = '', before = '', after = '', headers = {} } = options
  const {
    doctype = '<!doctype html>',
    html = 'lang="en"',
    script = '<script async src="/credit-reports/widget.js"></script>',
  } = options
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers })
  response.end(`${doctype}<html ${html}><head><meta charset="utf-8"><title>Checkout</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${head}
<script async src="/v1/fingerprints/device"></script>
${script}
</head><body>${before}<main><h1>Checkout</h1><credit-report-widget ${attributes}>${inside}</credit-report-widget></main>${after}</body></html>`)
}
