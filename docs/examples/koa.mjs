import { toNodeHandler } from 'credit-report-widget/tenant-proxy'
import Koa from 'koa'
import { proxy } from './credit-report-proxy.mjs'

const handle = toNodeHandler(proxy)
const app = new Koa()
// Before any body parser: the proxy reads bodies itself.
app.use((context, next) => {
  if (!`${context.path}/`.startsWith(`${proxy.path}/`)) return next()
  context.respond = false
  return handle(context.req, context.res)
})
app.listen(process.env.PORT ?? 3000)
