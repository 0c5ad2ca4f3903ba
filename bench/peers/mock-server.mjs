// A mock server of openapi.json, as a developer without access to the service would run one, in the manners of the
// service: it prints its address, and tells at /metrics what it has cost. Started with the folder its packages are in
// as DATA_DIR.
import http from 'node:http'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

const createServer = http.createServer
http.createServer = (...options) => {
  const server = createServer(...options)
  const [answer] = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (request.url === '/metrics') response.end(`crs_process_cpu_seconds_total ${cpuSeconds()}\n`)
    // Every request needs a token; getting one is not what is measured.
    else if (request.url === '/v1/oauth/token') response.end('{"access_token":"mock"}')
    else answer.call(server, request, response)
  })
  server.on('listening', () => process.stdout.write(`{"url":"http://localhost:${server.address().port}"}\n`))
  return server
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

// Errors only: the service too writes one line per request at most, and prism's lines are coloured by hand.
process.argv.push('mock', '--port', '0', '--host', '127.0.0.1', '--verboseLevel', 'error', 'docs/openapi.json')
const packages = process.env.DATA_DIR ?? ''
createRequire(resolve(packages, 'here.js'))(resolve(join(packages, '@stoplight/prism-cli/dist/index.js')))
