/** The default mount of the proxy, and the default `endpoint` of the element. */
export const PROXY_PATH = '/credit-reports'
