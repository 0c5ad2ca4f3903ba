import { proxy } from './credit-report-proxy.mjs'

export const GET = (request) => proxy(request)
export const POST = (request) => proxy(request)
