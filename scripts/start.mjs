// `npm start`: builds what is stale, then serves the service and the lender's shop until Ctrl-C.
import { buildIfStale } from './build.mjs'

buildIfStale()
await import('../dist/node/demo.js')
