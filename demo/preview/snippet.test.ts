import { expect, test } from 'vitest'
import { defaults } from './settings.ts'
import { writeSnippet } from './snippet.ts'

const pins = {
  publicServiceUrl: 'http://localhost:4100',
  widget: { src: '/credit-reports/widget.js', integrity: 'sha384-w' },
  fingerprint: { src: 'http://localhost:4100/v1/fingerprints/device@abc', integrity: 'sha384-f' },
}

test('with nothing changed it is the snippet of the readme', () => {
  expect(writeSnippet('html', defaults, pins, false)).toBe(
    [
      '<script async src="http://localhost:4100/v1/fingerprints/device"></script>',
      '<script async src="/credit-reports/widget.js"></script>',
      '<credit-report-widget endpoint="/credit-reports" search="soft" privacy-url="/privacy"></credit-report-widget>',
    ].join('\n'),
  )
})

test('pinned, both scripts carry their integrity', () => {
  const snippet = writeSnippet('html', defaults, pins, true)
  expect(snippet).toContain('device@abc"\n  integrity="sha384-f" crossorigin')
  expect(snippet).toContain('widget.js"\n  integrity="sha384-w" crossorigin')
})

const choices = {
  ...defaults,
  locale: 'cy',
  theme: 'dark',
  historyMonths: 60,
  tokens: { '--credit-report-accent': '#b00020', '--credit-report-font': '"Inter", serif' },
} as const

test('what the knobs changed is in it', () => {
  const snippet = writeSnippet('html', choices, pins, false)
  expect(snippet).toContain('locale="cy" theme="dark" address-history-months="60"')
  expect(snippet).toContain('--credit-report-accent: #b00020;')
})

test('pasted into a page, it shows nothing but the widget', () => {
  const snippet = writeSnippet('html', choices, pins, true)
  const words = snippet.replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '').replace(/<[^>]*>/g, '')
  expect(words.trim()).toBe('')
})

test.each(['html', 'react', 'vue', 'svelte', 'next', 'sveltekit'] as const)(
  'what is switched on is in it for %s',
  (kind) => {
    const all = {
      hasSlots: true,
      hasOwnWords: true,
      hasLookup: true,
      isRequired: true,
      offersLanguages: true,
      isLocked: true,
    }
    const snippet = writeSnippet(kind, { ...defaults, ...all }, pins, false)
    for (const part of ['slot="consent" data-version="2026-11"', '"About you"', 'name="creditReportId" required'])
      expect(snippet).toContain(part)
    expect(snippet).toContain('privacy-url="/privacy" locked locales="en-GB cy"')
    expect(snippet).toMatch(/address-?lookup/i)
  },
)

test('next does not render it on the server, where React would lose the listener', () => {
  expect(writeSnippet('next', defaults, pins, false)).toMatch(/if \(!isLoaded\) return null\n {2}return \(/)
})

test.each(['next', 'sveltekit', 'server'] as const)('%s has the mount, and no secret at build time', (kind) => {
  expect(writeSnippet(kind, defaults, pins, false)).toContain('credentials: () => ({')
})

test('the colours are in what React gets, too', () => {
  expect(writeSnippet('react', choices, pins, false)).toContain(
    String.raw` style={{ '--credit-report-accent': "#b00020", '--credit-report-font': "\"Inter\", serif" }} on`,
  )
})
