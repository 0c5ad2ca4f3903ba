// The other Nodes the project promises, from npm: fetched when first needed, and never a dependency.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fetchPeers } from './fetch-peers.mjs'

/**
 * The oldest that `engines` of package.json takes, and the newest of each later line that npm has for x64 and arm64.
 */
const VERSIONS = ['20.19.0', '22.23.3', '24.21.0', '26.10.0']

/** Each as `{ version, path }`; what npm does not have for this machine is said by `fetchPeers` and left out. */
export function fetchNodes() {
  return VERSIONS.flatMap((version) => {
    const name = `node-${process.platform}-${process.arch}`
    const modules = fetchPeers(`node-${version}`, [`${name}@${version}`])
    const path = modules === null ? '' : resolve(join(modules, name, 'bin/node'))
    return existsSync(path) ? [{ version, path }] : []
  })
}
