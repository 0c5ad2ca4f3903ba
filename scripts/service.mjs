// `npm run service`: the service alone.
import { buildIfStale } from './build.mjs'

buildIfStale()
await import('../dist/node/service-main.js')
