import { proxy } from '../../lib/credit-report-proxy.js'

export const ALL = (context) => proxy(context.request, { remoteAddress: context.clientAddress, hostRequest: context })
