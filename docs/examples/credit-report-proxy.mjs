import { createTenantProxy } from 'credit-report-widget/tenant-proxy'

/** Use your database instead. */
export const reports = new Map()

export const proxy = createTenantProxy({
  // Called at the first request, so a build without secrets can import this file.
  service: () => process.env.CREDIT_SERVICE_URL,
  tenantId: 'demo-lender',
  credentials: () => ({ clientId: process.env.CLIENT_ID, clientSecret: process.env.CLIENT_SECRET }),
  // Number of reverse proxies in front of this server.
  trustedHops: Number(process.env.TRUSTED_HOPS ?? 0),
  // Your own copy, server to server.
  onReport: (report, { creditReportId }) => reports.set(creditReportId, report),
})
