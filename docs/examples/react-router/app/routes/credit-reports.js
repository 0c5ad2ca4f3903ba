import { proxy } from '../lib/credit-report-proxy.js'

// In development there is no reverse proxy to name the address.
const remoteAddress = import.meta.env.DEV ? '127.0.0.1' : undefined
const answer = ({ request, context }) => proxy(request, { remoteAddress, hostRequest: context })

export { answer as action, answer as loader }
