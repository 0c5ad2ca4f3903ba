// `npm run admin -- …`: the operator's commands.
import { buildIfStale } from './build.mjs'

buildIfStale()
await import('../dist/programs/admin.js')
