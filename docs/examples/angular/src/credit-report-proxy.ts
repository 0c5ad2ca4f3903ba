import { createTenantProxy } from 'credit-report-widget/tenant-proxy'

const setting = (name: string) => process.env[name] ?? ''

export const proxy = createTenantProxy({
  // Functions are called at the first request: `ng build` needs no secrets.
  service: () => setting('CREDIT_SERVICE_URL'),
  tenantId: 'demo-lender',
  credentials: () => ({ clientId: setting('CLIENT_ID'), clientSecret: setting('CLIENT_SECRET') }),
  trustedHops: Number(setting('TRUSTED_HOPS')),
  // Your own copy, server to server: keep it under its id.
  onReport: (_report, { creditReportId }) => console.log(`report ${creditReportId}`),
})
