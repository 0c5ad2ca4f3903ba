import { createTenantProxy } from 'credit-report-widget/tenant-proxy'

export const proxy = createTenantProxy({
  // Functions are called at the first request: `nuxt build` needs no secrets.
  service: () => process.env.CREDIT_SERVICE_URL,
  tenantId: 'demo-lender',
  credentials: () => ({ clientId: process.env.CLIENT_ID, clientSecret: process.env.CLIENT_SECRET }),
  // `nuxt dev` has a reverse proxy of its own.
  trustedHops: Number(process.env.TRUSTED_HOPS ?? (import.meta.dev ? 1 : 0)),
  // Your own copy, server to server: keep it under its id.
  onReport: (_report, { creditReportId }) => console.log(`report ${creditReportId}`),
})
