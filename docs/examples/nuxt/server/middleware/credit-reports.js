import { toNodeHandler } from 'credit-report-widget/tenant-proxy'
import { proxy } from '../utils/credit-report-proxy.js'

// Requests outside the mount go on to the pages.
export default fromNodeMiddleware(toNodeHandler(proxy))
