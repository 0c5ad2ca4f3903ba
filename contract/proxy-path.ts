// The names a browser uses to reach the tenant proxy; apart from its schemas, which would weigh on every page.

/** The default mount of the proxy, and the default `endpoint` of the element. */
export const PROXY_PATH = '/credit-reports'

/** Of `GET {endpoint}/current`: asks about this report rather than the latest one. */
export const CURRENT_REPORT_PARAMETER = 'creditReportId'

/**
 * Of `GET {endpoint}/current`: comes back as `meta.nonce`, so that a page recognises an answer from a cache or from
 * something in front of the proxy.
 */
export const NONCE_PARAMETER = 'nonce'

/**
 * A query parameter of `GET {endpoint}/current`: the status with which something in front of the proxy refused a write
 * of this page. It only goes into the lender's log.
 */
export const REFUSED_PARAMETER = 'refused'

/**
 * A random value that a tab makes and keeps to itself, with every request. A completed check answers with its report to
 * the tab that completed it; any other has to open it.
 */
export const TAB_HEADER = 'X-Credit-Report-Tab'

/** Carries the element's `start` attribute: see `begin()` of the proxy. */
export const START_HEADER = 'X-Credit-Report-Start'

/** Of `DELETE {endpoint}/current`: another check begins, so `GET` does not even say that one was completed. */
export const FORGET_PARAMETER = 'forget'
