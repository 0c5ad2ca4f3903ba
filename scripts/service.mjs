// `npm run service`: the service alone.
import { buildIfStale } from './build.mjs'
import { leaveWithNpm } from './leave-with-npm.mjs'

buildIfStale()
// The demo's routes and secrets are in a bundle of their own: production never loads it.
await import(process.env.DEMO === '1' ? '../dist/programs/demo-service.js' : '../dist/programs/service-main.js')
leaveWithNpm()
