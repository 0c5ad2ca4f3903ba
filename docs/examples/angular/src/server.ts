import { join } from 'node:path'
import {
  AngularNodeAppEngine,
  createNodeRequestHandler,
  isMainModule,
  writeResponseToNodeResponse,
} from '@angular/ssr/node'
import { toExpress } from 'credit-report-widget/tenant-proxy'
import express from 'express'
import { proxy } from './credit-report-proxy'

const app = express()
const pages = new AngularNodeAppEngine()

// Before the pages: they answer every path.
app.use(toExpress(proxy))
app.use(express.static(join(import.meta.dirname, '../browser'), { maxAge: '1y', index: false, redirect: false }))
app.use((request, response, next) => {
  pages
    .handle(request)
    .then((answer) => (answer ? writeResponseToNodeResponse(answer, response) : next()))
    .catch(next)
})
if (isMainModule(import.meta.url)) app.listen(process.env.PORT ?? 3000)

/** For `ng serve` and `ng build`. */
export const reqHandler = createNodeRequestHandler(app)
