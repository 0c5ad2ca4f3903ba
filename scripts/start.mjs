// `npm start`: builds what is stale, then serves the service and the lender's shop until Ctrl-C.
import { buildIfStale } from './build.mjs'
import { leaveWithNpm } from './leave-with-npm.mjs'

buildIfStale()
await import('../dist/programs/demo.js')
leaveWithNpm()
