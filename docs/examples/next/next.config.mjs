export default {
  // Outside the bundle the proxy finds the widget's files in its package.
  serverExternalPackages: ['credit-report-widget'],
}
