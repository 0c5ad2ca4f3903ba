import { createTenantProxy } from 'credit-report-widget/tenant-proxy'
import { env } from '$env/dynamic/private'

export const proxy = createTenantProxy({
  // Functions are asked at the first request: `vite build` needs no secrets.
  service: () => env.CREDIT_SERVICE_URL,
  tenantId: 'demo-lender',
  credentials: () => ({ clientId: env.CLIENT_ID, clientSecret: env.CLIENT_SECRET }),
  trustedHops: Number(process.env.TRUSTED_HOPS ?? 0),
  // Your own copy, server to server: keep it under its id.
  onReport: (_report, { creditReportId }) => console.log(`report ${creditReportId}`),
})
