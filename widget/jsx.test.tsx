// The element in a page's JSX; that it compiles is half of the test.
// @vitest-environment happy-dom
import { render } from 'preact'
import { expect, test } from 'vitest'
import type { CreditReportWidgetAttributes } from './jsx.ts'

// As `types/preact.d.ts` has it for those who install the package.
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'credit-report-widget': CreditReportWidgetAttributes
    }
  }
}

/** Like the types React and others have for a style: an interface, which no index signature takes. */
interface LibraryStyle {
  '--credit-report-accent'?: string
}
const style: LibraryStyle = { '--credit-report-accent': 'rebeccapurple' }

test('looks, place and events can be set from JSX', () => {
  const heard: string[] = []
  render(
    <credit-report-widget
      class="check"
      slot="aside"
      title="Credit check"
      style={style}
      heading-level={3}
      oncredit-report-complete={({ detail }) => heard.push(detail.creditReportId)}
    >
      <p slot="help">Call us</p>
    </credit-report-widget>,
    document.body,
  )
  const element = document.querySelector('credit-report-widget')
  expect(element?.style.getPropertyValue('--credit-report-accent')).toBe('rebeccapurple')
  expect(element?.className).toBe('check')
  expect(element?.getAttribute('heading-level')).toBe('3')
  element?.dispatchEvent(new CustomEvent('credit-report-complete', { detail: { creditReportId: 'a' } }))
  expect(heard).toEqual(['a'])
})
