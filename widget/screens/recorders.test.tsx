// @vitest-environment happy-dom
import { signal } from '@preact/signals'
import { cleanup, render } from '@testing-library/preact'
import { afterEach, expect, test } from 'vitest'
import { stillSession } from '../../testing/still-session.ts'
import { startFlow } from '../flow/flow.ts'
import { type Frame, PLAIN_FRAME } from '../frame.ts'
import { App } from './app.tsx'

afterEach(cleanup)

test.each([
  ['Amplitude', '.amp-block'],
  ['Clarity', '[data-clarity-mask="true"]'],
  ['Contentsquare', '[data-cs-mask]'],
  ['Datadog', '[data-dd-privacy="hidden"]'],
  ['Dynatrace', '[data-dtrum-mask]'],
  ['FullStory', '.fs-exclude'],
  ['Highlight', '.highlight-block'],
  ['Hotjar', '[data-hj-suppress]'],
  ['LogRocket', '[data-private]'],
  ['Mixpanel', '.mp-block'],
  ['New Relic', '.nr-block'],
  ['OpenReplay', '[data-openreplay-hidden]'],
  ['PostHog', '.ph-no-capture'],
  ['rrweb', '.rr-block'],
  ['Sentry', '[data-sentry-block]'],
  ['Smartlook', '[data-recording-disable]'],
])('%s finds its mark around everything that is shown', (_recorder, mark) => {
  const frame = signal<Frame>({ ...PLAIN_FRAME, mayFocus: () => false })
  const { container } = render(<App session={stillSession(startFlow(36))} frame={frame} />)
  expect(container.firstElementChild?.matches(mark)).toBe(true)
  expect(container.children).toHaveLength(1)
})
