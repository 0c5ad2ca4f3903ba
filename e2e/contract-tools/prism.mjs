// Prism in front of the service, set to refuse whatever openapi.json does not allow, in either direction. Runs the
// published program and prints its address as our own programs do.
import { spawn } from 'node:child_process'

const { PRISM, SERVICE_URL, PORT } = process.env
const prism = spawn(
  process.execPath,
  [PRISM, 'proxy', 'docs/openapi.json', SERVICE_URL, '--errors', '--port', PORT, '--host', '127.0.0.1', '-v', 'error'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
prism.stdout.on('data', () => {})
prism.once('exit', () => process.exit(1))
process.once('SIGTERM', () => {
  prism.removeAllListeners('exit')
  prism.once('exit', () => process.exit())
  prism.kill()
})

const url = `http://127.0.0.1:${PORT}`
async function isUp() {
  return fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
while (!(await isUp())) await new Promise((resolve) => setTimeout(resolve, 100))
console.log(`prism: ${url}`)
