import { toExpress } from 'credit-report-widget/tenant-proxy'
import express from 'express'
import { proxy } from './credit-report-proxy.mjs'

const app = express()
app.use(toExpress(proxy))
app.listen(process.env.PORT ?? 3000)
