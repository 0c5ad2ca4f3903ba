import { afterNextRender, Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core'

@Component({
  selector: 'app-checkout',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <h1>Checkout</h1>
      <credit-report-widget
        endpoint="/credit-reports"
        [prefill]="known"
        (credit-report-complete)="isComplete.set(true)"
      ></credit-report-widget>
      @if (isComplete()) {
        <p>Thank you, your order can go on.</p>
      }
    </main>
  `,
})
export class Checkout {
  /** From your customer's account. */
  known = { email: 'sam@example.com' }
  isComplete = signal(false)

  constructor() {
    // In the browser only.
    afterNextRender(() => import('credit-report-widget'))
  }
}
