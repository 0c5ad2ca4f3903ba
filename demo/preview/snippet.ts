// The tags a lender would paste for what is on the stage.
import type { Settings } from './settings.ts'
import type { Pins } from './wire.ts'

export type SnippetKind = 'html' | 'react' | 'server'

type Choices = Pick<Settings, 'locale' | 'theme' | 'historyMonths' | 'tokens'>

/** `isPinned` writes hashed addresses and `integrity`, for pages that allow no other bytes. */
export function writeSnippet(kind: SnippetKind, choices: Choices, pins: Pins, isPinned: boolean): string {
  switch (kind) {
    case 'html':
      return [
        ...writeScripts(pins, isPinned),
        ...writeTheme(choices),
        `<credit-report-widget${attributes(choices)}></credit-report-widget>`,
      ].join('\n')
    case 'react':
      return [
        `import 'credit-report-widget'`,
        '',
        'export function CreditCheck({ onComplete }) {',
        `  return <credit-report-widget${attributes(choices)}${styleProp(choices)} oncredit-report-complete={onComplete} />`,
        '}',
      ].join('\n')
    case 'server':
      return [
        `import { createServer } from 'node:http'`,
        `import { createTenantProxy, toNodeHandler } from 'credit-report-widget/tenant-proxy'`,
        '',
        'const proxy = createTenantProxy({',
        `  service: '${pins.publicServiceUrl}',`,
        `  tenantId: 'demo-lender',`,
        '  credentials: { clientId: process.env.CLIENT_ID, clientSecret: process.env.CLIENT_SECRET },',
        '  onReport: async (report, { creditReportId, externalReference }) => {},',
        '})',
        '',
        'createServer(toNodeHandler(proxy)).listen(3000)',
      ].join('\n')
  }
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

function attributes({ locale, theme, historyMonths }: Choices): string {
  return [
    ' endpoint="/credit-reports"',
    locale === 'en-GB' ? '' : ` locale="${locale}"`,
    theme === 'auto' ? '' : ` theme="${theme}"`,
    historyMonths === 36 ? '' : ` address-history-months="${historyMonths}"`,
  ].join('')
}

/** A page that allows no inline styles takes what is between the tags into its style sheet. */
function writeTheme({ tokens }: Choices): string[] {
  const lines = Object.entries(tokens).map(([name, value]) => `    ${name}: ${value};`)
  return lines.length === 0 ? [] : ['<style>', '  credit-report-widget {', ...lines, '  }', '</style>']
}

function styleProp({ tokens }: Choices): string {
  const entries = Object.entries(tokens).map(([name, value]) => `'${name}': ${JSON.stringify(value)}`)
  return entries.length === 0 ? '' : ` style={{ ${entries.join(', ')} }}`
}
