// The code a lender would paste for what is on the stage, in each framework.
import { LOCALES_OFFERED, OWN_WORDS, SLOTS, type TagChoices, tagAttributes, tagOf } from '../host/lender-parts.ts'
import type { Settings } from './settings.ts'
import type { Pins } from './wire.ts'

export const SNIPPET_KINDS = {
  html: 'HTML',
  react: 'React',
  vue: 'Vue',
  svelte: 'Svelte',
  next: 'Next.js',
  sveltekit: 'SvelteKit',
  server: 'Node server',
} as const
export type SnippetKind = keyof typeof SNIPPET_KINDS

type Choices = Pick<
  Settings,
  | keyof TagChoices
  | 'locale'
  | 'theme'
  | 'historyMonths'
  | 'hasSlots'
  | 'hasOwnWords'
  | 'hasLookup'
  | 'isRequired'
  | 'offersLanguages'
  | 'tokens'
>

/** `isPinned` writes hashed addresses and `integrity`, for pages that allow no other bytes. */
export function writeSnippet(kind: SnippetKind, choices: Choices, pins: Pins, isPinned: boolean): string {
  const lines = {
    html: () => writeHtml(choices, pins, isPinned),
    react: () => [`import 'credit-report-widget'`, ...writeReact(choices)],
    vue: () => writeVue(choices),
    svelte: () => [...writeSvelte(choices, [`  import 'credit-report-widget'`])],
    next: () => writeNext(choices, pins),
    sveltekit: () => writeSvelteKit(choices, pins),
    server: () => writeServer(pins),
  }
  return lines[kind]().join('\n')
}

function writeHtml(choices: Choices, pins: Pins, isPinned: boolean): string[] {
  const properties = propertiesOf(choices).map(([name, code]) => `  widget.${name} = ${code}`)
  return [
    ...writeScripts(pins, isPinned),
    ...writeStyle(choices),
    ...writeElement(attributesOf(choices), choices),
    ...(properties.length === 0
      ? []
      : [
          '<script type="module">',
          `  const widget = document.querySelector('credit-report-widget')`,
          ...properties,
          '</script>',
        ]),
  ]
}

function writeScripts({ publicServiceUrl, fingerprint, widget }: Pins, isPinned: boolean): string[] {
  if (!isPinned) {
    return [
      `<script async src="${publicServiceUrl}/v1/fingerprints/device"></script>`,
      `<script async src="${widget.src}"></script>`,
    ]
  }
  return [fingerprint, widget].map(
    ({ src, integrity }) => `<script async src="${src}"\n  integrity="${integrity}" crossorigin></script>`,
  )
}

/** The element in markup: with what the lender puts into its slots between the tags. */
function writeElement(attributes: string, { hasSlots }: Choices, indent = ''): string[] {
  const open = `${indent}<credit-report-widget${attributes}>`
  if (!hasSlots) return [`${open}</credit-report-widget>`]
  const slots = SLOTS.map((each) => {
    const [slot, words, version] = each
    const tag = tagOf(each)
    return `${indent}  <${tag} slot="${slot}"${version ? ` data-version="${version}"` : ''}>${words}</${tag}>`
  })
  return [open, ...slots, `${indent}</credit-report-widget>`]
}

function attributesOf(choices: Choices): string {
  const { locale, theme, historyMonths, offersLanguages, isRequired } = choices
  return [
    ' endpoint="/credit-reports"',
    ...tagAttributes(choices).map(([name, value]) => (value ? ` ${name}="${value}"` : ` ${name}`)),
    locale === 'en-GB' ? '' : ` locale="${locale}"`,
    offersLanguages ? ` locales="${LOCALES_OFFERED}"` : '',
    theme === 'auto' ? '' : ` theme="${theme}"`,
    historyMonths === 36 ? '' : ` address-history-months="${historyMonths}"`,
    isRequired ? ' name="creditReportId" required' : '',
  ].join('')
}

/** Properties, and the code of their values. */
function propertiesOf({ hasOwnWords, hasLookup }: Choices): [name: string, code: string][] {
  return [
    ...(hasOwnWords ? ([['strings', writeObject(OWN_WORDS)]] as [string, string][]) : []),
    ...(hasLookup
      ? ([
          [
            'addressLookup',
            `async (postcode, signal) => (await fetch('/addresses?postcode=' + postcode, { signal })).json()`,
          ],
        ] as [string, string][])
      : []),
  ]
}

/** A page that allows no inline styles takes what is between the tags into its style sheet. */
function writeStyle({ tokens }: Choices): string[] {
  const lines = Object.entries(tokens).map(([name, value]) => `    ${name}: ${value};`)
  return lines.length === 0 ? [] : ['<style>', '  credit-report-widget {', ...lines, '  }', '</style>']
}

/** The component; who imports the widget, and when, depends on the framework. */
function writeReact(choices: Choices, onMount: string[] = []): string[] {
  const style = Object.keys(choices.tokens).length === 0 ? '' : ` style={{ ${entriesOf(choices.tokens)} }}`
  const properties = propertiesOf(choices).map(([name]) => ` ${name}={${name}}`)
  const attributes = `${attributesOf(choices)}${style}${properties.join('')} oncredit-report-complete={onComplete}`
  return [
    ...propertiesOf(choices).map(([name, code]) => `const ${name} = ${code}`),
    '',
    'export function CreditCheck({ onComplete }) {',
    ...onMount,
    '  return (',
    ...writeElement(attributes, choices, '    '),
    '  )',
    '}',
  ]
}

function writeVue(choices: Choices): string[] {
  const properties = propertiesOf(choices)
  const bound = properties.map(([name]) => ` :${camelToKebab(name)}.prop="${name}"`).join('')
  const attributes = `${attributesOf(choices)}${bound} @credit-report-complete="$emit('complete')"`
  return [
    "<!-- vite.config.js: vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'credit-report-widget' } } }) -->",
    '<script setup>',
    `import 'credit-report-widget'`,
    `defineEmits(['complete'])`,
    ...properties.map(([name, code]) => `const ${name} = ${code}`),
    '</script>',
    '',
    '<template>',
    ...writeElement(attributes, choices, '  '),
    '</template>',
    ...writeStyle(choices),
  ]
}

function writeSvelte(choices: Choices, start: string[]): string[] {
  const properties = propertiesOf(choices)
  const bound = properties.map(([name]) => ` {${name}}`).join('')
  const attributes = `${attributesOf(choices)}${bound} oncredit-report-complete={onComplete}`
  return [
    '<script>',
    ...start,
    '  let { onComplete } = $props()',
    ...properties.map(([name, code]) => `  const ${name} = ${code}`),
    '</script>',
    '',
    ...writeElement(attributes, choices),
    ...writeStyle(choices),
  ]
}

function writeNext(choices: Choices, pins: Pins): string[] {
  return [
    '// app/checkout/credit-check.jsx',
    `'use client'`,
    `import { useEffect, useState } from 'react'`,
    ...writeReact(choices, [
      '  const [isLoaded, setLoaded] = useState(false)',
      "  useEffect(() => void import('credit-report-widget').then(() => setLoaded(true)), [])",
      '  // Not on the server: when React hydrates a custom element, it skips its listeners and properties.',
      '  if (!isLoaded) return null',
    ]),
    '',
    '// lib/credit-report-proxy.js',
    ...writeProxy(pins, 'export const proxy', ['  trustedHops: 1,']),
    '',
    '// app/credit-reports/[[...path]]/route.js',
    `import { toNext } from 'credit-report-widget/tenant-proxy'`,
    `import { proxy } from '../../../lib/credit-report-proxy.js'`,
    '',
    'export const { GET, POST, DELETE } = toNext(proxy)',
  ]
}

function writeSvelteKit(choices: Choices, pins: Pins): string[] {
  return [
    '<!-- src/lib/credit-check.svelte -->',
    ...writeSvelte(choices, [
      `  import { onMount } from 'svelte'`,
      `  onMount(() => void import('credit-report-widget'))`,
    ]),
    '',
    '// src/lib/server/credit-report-proxy.js',
    ...writeProxy(pins, 'export const proxy'),
    '',
    '// src/routes/credit-reports/[...path]/+server.js',
    `import { proxy } from '../../../lib/server/credit-report-proxy.js'`,
    '',
    'export const fallback = (event) =>',
    '  proxy(event.request, { remoteAddress: event.getClientAddress(), hostRequest: event })',
  ]
}

function writeServer(pins: Pins): string[] {
  return [
    `import { createServer } from 'node:http'`,
    ...writeProxy(pins, 'const proxy').map((line) =>
      line.replace('{ createTenantProxy }', '{ createTenantProxy, toNodeHandler }'),
    ),
    '',
    'createServer(toNodeHandler(proxy)).listen(3000)',
  ]
}

/** Values that are read at the first request, so that a build needs no secrets. */
function writeProxy({ publicServiceUrl }: Pins, declaration: string, more: string[] = []): string[] {
  return [
    `import { createTenantProxy } from 'credit-report-widget/tenant-proxy'`,
    '',
    `${declaration} = createTenantProxy({`,
    `  service: '${publicServiceUrl}',`,
    `  tenantId: 'demo-lender',`,
    '  credentials: () => ({ clientId: process.env.CLIENT_ID, clientSecret: process.env.CLIENT_SECRET }),',
    ...more,
    '  onReport: async (report, { creditReportId, externalReference }) => {},',
    '})',
  ]
}

function writeObject(entries: { [name: string]: unknown }): string {
  return `{ ${Object.entries(entries)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ')} }`
}

function entriesOf(tokens: { [name: string]: string }): string {
  return Object.entries(tokens)
    .map(([name, value]) => `'${name}': ${JSON.stringify(value)}`)
    .join(', ')
}

function camelToKebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
