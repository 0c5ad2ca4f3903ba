// With the script tag: the browser caches the widget apart from your bundle, and an upgrade needs no build.
export default function Checkout() {
  return (
    <main>
      <h1>Checkout</h1>
      <script async src="/credit-reports/widget.js" />
      <credit-report-widget endpoint="/credit-reports" />
    </main>
  )
}
