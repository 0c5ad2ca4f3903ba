import { createTenantProxy } from 'credit-report-widget/tenant-proxy'

/** Stands for your database. */
export const reports = new Map()

export const proxy = createTenantProxy({
  // Functions are asked at the first request, so that a build without secrets can import this file.
  service: () => process.env.CREDIT_SERVICE_URL,
  tenantId: 'demo-lender',
  credentials: () => ({ clientId: process.env.CLIENT_ID, clientSecret: process.env.CLIENT_SECRET }),
  // How many reverse proxies stand in front of this server.
  trustedHops: Number(process.env.TRUSTED_HOPS ?? 0),
  // Your own copy, server to server: decide from it, never from what a browser says.
  onReport: (report, { creditReportId }) => reports.set(creditReportId, report),
})
