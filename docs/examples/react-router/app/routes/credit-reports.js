import { proxy } from '../lib/credit-report-proxy.js'

// `react-router-serve` hides the connection. In production a reverse proxy names the address; on this machine there is none.
const remoteAddress = process.env.NODE_ENV === 'production' ? undefined : '127.0.0.1'
const answer = ({ request, context }) => proxy(request, { remoteAddress, hostRequest: context })

export { answer as action, answer as loader }
