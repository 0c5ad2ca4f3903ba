// The components of a published package, in CycloneDX: its dependencies, and the libraries that are built into its
// files.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

/** Written into the lender's files by the bundler, so that npm knows nothing of them. */
const BUILT_IN = {
  'credit-report-widget': ['preact', '@preact/signals', '@preact/signals-core', 'zod'],
  'credit-report-service': [],
}

export function writeSbom(name) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--omit=dev', `--workspace=${name}`]
  const { serialNumber: _, ...sbom } = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))
  // The same sources make the same file.
  delete sbom.metadata.timestamp
  sbom.metadata.component = describe(name)
  sbom.components = [...(sbom.components ?? []), ...BUILT_IN[name].map(describe)]
  writeFileSync(join(root, 'packages', name, 'sbom.json'), `${JSON.stringify(sbom, null, 2)}\n`)
}

function describe(name) {
  const { version, license, description } = JSON.parse(
    readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
  )
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    description,
    purl,
    licenses: [{ license: { id: license } }],
  }
}
