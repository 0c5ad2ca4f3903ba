// The lender's types in one piece: what they say with the types of zod and preact is written into them, so that the
// package depends on neither.
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { root } from './root.mjs'

const FROM = join(root, 'dist/types')
const TO = join(root, 'dist/lender-types')

rmSync(TO, { recursive: true, force: true })
const bundle = await rolldown({
  input: {
    index: join(FROM, 'widget/index.d.ts'),
    element: join(FROM, 'widget/element.d.ts'),
    'tenant-proxy': join(FROM, 'tenant-proxy/index.d.ts'),
    client: join(FROM, 'tenant-proxy/client/index.d.ts'),
    testing: join(FROM, 'tenant-proxy/testing/index.d.ts'),
    contract: join(FROM, 'contract/index.d.ts'),
  },
  external: [/^node:/],
  plugins: [dts({ dtsInput: true, resolver: 'oxc', resolve: true })],
  // It names every file of zod's locales that it leaves out; what is left in is compiled by the test of the package.
  logLevel: 'silent',
})
await bundle.write({ dir: TO, format: 'es' })
// The types of the element for each library's templates; there is nothing to run in them.
cpSync(join(root, 'widget/types'), TO, { recursive: true })
writeFileSync(join(TO, 'nothing.js'), 'export {}\n')
