// Runs before everything else on a host page of the preview, so that no event of the widget is missed.
for (const name of ['ready', 'step', 'challenged', 'complete', 'blocked', 'failed', 'expired', 'error']) {
  document.addEventListener(`credit-report-${name}`, ({ detail }) => {
    parent.postMessage({ kind: 'widget-event', name, detail, atMs: Date.now() }, location.origin)
  })
}
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  const detail = { directive: effectiveDirective, blocked: blockedURI }
  parent.postMessage({ kind: 'widget-event', name: 'policy-violation', detail, atMs: Date.now() }, location.origin)
})
