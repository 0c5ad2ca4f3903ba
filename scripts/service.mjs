// `npm run service`: the service alone.
import { buildIfStale } from './build.mjs'
import { leaveWithNpm } from './leave-with-npm.mjs'

buildIfStale()
await import('../dist/node/service-main.js')
leaveWithNpm()
