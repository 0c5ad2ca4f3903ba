// `npm run openapi`: writes openapi.json from the contract.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './root.mjs'

const { module } = await runnerImport(join(root, 'contract/openapi/document.ts'))
writeFileSync(join(root, 'openapi.json'), `${JSON.stringify(module.openApiDocument(), null, 2)}\n`)
