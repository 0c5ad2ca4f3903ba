import { toNext } from 'credit-report-widget/tenant-proxy'
import { proxy } from '../../../lib/credit-report-proxy.mjs'

export const { GET, POST, DELETE } = toNext(proxy)
