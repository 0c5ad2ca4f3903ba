// `npm run openapi`: writes docs/openapi.json and docs/tenant-proxy.openapi.json from the rows in openapi/.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './root.mjs'

const load = async (file) => (await runnerImport(join(root, 'openapi', file))).module
const write = (file, document) => writeFileSync(join(root, file), `${JSON.stringify(document, null, 2)}\n`)

write('docs/openapi.json', (await load('document.ts')).openApiDocument())
write('docs/tenant-proxy.openapi.json', (await load('proxy-document.ts')).proxyDocument())
