import { proxy } from '../../../lib/server/credit-report-proxy.js'

export const fallback = (event) => proxy(event.request, { remoteAddress: event.getClientAddress(), hostRequest: event })
