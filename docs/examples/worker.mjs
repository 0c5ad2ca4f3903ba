import { createTenantProxy } from 'credit-report-widget/tenant-proxy'

let proxy

export default {
  async fetch(request, env, context) {
    proxy ??= createTenantProxy({
      service: env.CREDIT_SERVICE_URL,
      tenantId: 'demo-lender',
      credentials: { clientId: env.CLIENT_ID, clientSecret: env.CLIENT_SECRET },
      fetch: (url, init) => fetch(url, init),
      onReport: (report, { creditReportId }) => env.REPORTS?.put(creditReportId, JSON.stringify(report)),
    })
    const answer = await proxy(request, { remoteAddress: request.headers.get('CF-Connecting-IP') ?? undefined })
    // Keeps the worker alive until the hooks have settled.
    context.waitUntil(proxy.drain())
    return answer
  },
}
