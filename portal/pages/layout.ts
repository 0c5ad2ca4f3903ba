// The layout of every page for people: one stylesheet, at most one script, and a policy that allows nothing else.
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { html, raw } from 'hono/html'

export type Markup = ReturnType<typeof html>

export const STYLE_PATH = '/v1/oauth/style.css'
export const SERVICE_NAME = 'Credit Report Service'

/** Other pages of this installation for its people. */
export type Link = { href: string; name: string }

export type Page = {
  title: string
  /** Everything inside `main`, its heading included. */
  body: Markup
  /** Above `main`. @default the product's name */
  header?: Markup
  /** Beside `main`: the console's navigation. */
  side?: Markup
  /** `narrow`: one form in the middle. */
  width?: 'narrow' | 'wide'
  /** Other origins that a form may redirect to. */
  formOrigins?: readonly string[]
  /** At the end of the page; nothing else can run there. */
  script?: PageScript
  /** As JSON what the page's script fills in. */
  kept?: string | null
}

type Status = 200 | 400 | 403 | 404 | 409 | 429 | 503

export function answerPage(context: Context, page: Page, status: Status = 200): Response | Promise<Response> {
  const formAction = ["'self'", ...(page.formOrigins ?? [])].join(' ')
  const scripts = page.script ? ` script-src '${page.script.hash}';` : ''
  context.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self';${scripts} form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
  )
  context.header('Cache-Control', 'no-store')
  context.header('Cross-Origin-Opener-Policy', 'same-origin')
  return context.html(renderPage(page), status)
}

/** A script with the hash by which the policy knows it. */
export type PageScript = { code: string; hash: `sha256-${string}` }

export function prepareScript(code: string): PageScript {
  return { code, hash: `sha256-${createHash('sha256').update(code).digest('base64')}` }
}

/** `href`: the home of the pages that share the header. */
export function brand(href: string): Markup {
  return html`<a class="brand" href="${href}">${SERVICE_NAME}</a>`
}

function renderPage({ title, body, header, side, script, kept, width = 'wide' }: Page): Markup {
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · ${SERVICE_NAME}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body class="${width}">
<a class="skip" href="#main">Skip to the content</a>
${header ?? html`<header class="top">${brand('/console')}</header>`}
<div class="frame">
${side ?? ''}
<main id="main" tabindex="-1"${kept ? html` data-kept="${kept}"` : ''}>
${body}
</main>
</div>
${script ? html`<script>${raw(script.code)}</script>` : ''}
</body>
</html>`
}

/** For an address without a page. */
export function noSuchPage(): Page {
  const body = html`<h1>There is no such page</h1>
<p class="lead">The address may be mistyped, or the page may have moved.</p>
<p class="row"><a class="button" href="/console">To the console</a> <a href="/docs">API reference</a></p>`
  return { title: 'There is no such page', body, width: 'narrow' }
}

export type Field = {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'url'
  autocomplete: string
  hint?: string
  error?: string | undefined
  value?: string
  inputmode?: 'numeric' | 'decimal' | 'email'
  autofocus?: boolean
  lengthMax?: number
  isOptional?: boolean
}

/** Label, hint, error and control, wired together. */
export function field({ type = 'text', value = '', inputmode, autofocus, lengthMax = 256, ...shared }: Field): Markup {
  const { name, autocomplete } = shared
  return around(
    shared,
    (
      wired,
    ) => html`<input class="input" id="${name}" name="${name}" type="${type}" value="${value}" maxlength="${lengthMax}"
    autocomplete="${autocomplete}" spellcheck="false" autocapitalize="none"${inputmode ? html` inputmode="${inputmode}"` : ''}${wired}${autofocus ? html` autofocus` : ''}>`,
  )
}

/** Text of more than one line. */
export function textArea({ value = '', ...shared }: Omit<Field, 'type' | 'inputmode'>): Markup {
  const { name } = shared
  return around(
    shared,
    (wired) =>
      html`<textarea class="input" id="${name}" name="${name}" rows="4" spellcheck="false" autocapitalize="none"${wired}>${value}</textarea>`,
  )
}

function around(
  { name, label, hint, error, isOptional = false }: Pick<Field, 'name' | 'label' | 'hint' | 'error' | 'isOptional'>,
  draw: (wired: Markup) => Markup,
): Markup {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return html`<div class="field">
  <label for="${name}">${label}</label>
  ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : ''}
  ${error ? html`<p class="error" id="${name}-error">${error}</p>` : ''}
  ${draw(
    html`${isOptional ? '' : html` required`}${described ? html` aria-describedby="${described}"` : ''}${error ? html` aria-invalid="true"` : ''}`,
  )}
</div>`
}

type Choice = {
  name: string
  label: string
  chosen: string
  options: readonly (readonly [value: string, words: string])[]
}

/** Label and list, wired together. */
export function choice({ name, label, chosen, options }: Choice): Markup {
  return html`<div class="field"><label for="${name}">${label}</label>
  <select class="input" id="${name}" name="${name}">${options.map(
    ([value, words]) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${words}</option>`,
  )}</select></div>`
}

/** The error of a whole form; screen readers say it as the page opens. */
export function alert(message: string | Markup | undefined): Markup | '' {
  return message ? html`<p class="alert" role="alert">${message}</p>` : ''
}
