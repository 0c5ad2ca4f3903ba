// `npm run openapi`: writes docs/openapi.json and docs/tenant-proxy.openapi.json from the rows beside the handlers.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './root.mjs'

const load = async (file) => (await runnerImport(join(root, file))).module
const write = (file, document) => writeFileSync(join(root, file), `${JSON.stringify(document, null, 2)}\n`)

write('docs/openapi.json', (await load('portal/rows.ts')).describeAll())
write('docs/tenant-proxy.openapi.json', (await load('openapi/proxy-document.ts')).proxyDocument())
