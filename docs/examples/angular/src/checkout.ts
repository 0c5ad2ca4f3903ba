import { afterNextRender, Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core'

@Component({
  selector: 'app-checkout',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <h1>Checkout</h1>
      <credit-report-widget endpoint="/credit-reports" (credit-report-complete)="isComplete.set(true)"></credit-report-widget>
      @if (isComplete()) {
        <p>Thank you, your order can go on.</p>
      }
    </main>
  `,
})
export class Checkout {
  isComplete = signal(false)

  constructor() {
    // In the browser only.
    afterNextRender(() => import('credit-report-widget'))
  }
}
