// Test support: a version of the service as a process, from the files it ships, with the demo's lenders and people.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'

export type VersionProcess = Awaited<ReturnType<typeof startVersion>>
type Environment = { [name: string]: string }

/** `folder` holds the `dist` of the version. */
export async function startVersion(folder: string, environment: Environment) {
  const patient = { DRAIN_SECONDS: '0', DATABASE_TIMEOUT_MS: '60000' }
  const env = { PATH: process.env.PATH ?? '', DEMO: '1', PORT: '0', ...patient, ...environment }
  const child = spawn(process.execPath, ['dist/programs/demo-service.js'], { cwd: folder, env, stdio: 'pipe' })
  const ended = once(child, 'exit')
  const said: string[] = []
  child.stderr.on('data', (chunk) => said.push(String(chunk)))
  let url: URL | null = null
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line)
    const serving = /"event":"serving","url":"([^"]+)"/.exec(line)
    if (serving?.[1] === undefined) continue
    url = new URL(serving[1])
    break
  }
  if (url === null) throw new Error(`the service did not start: ${said.join('\n')}`)
  child.stdout.resume()
  const { port } = url

  /** Under the installation's public name, as a proxy in front would ask. */
  async function ask(request: Request): Promise<Response> {
    const { pathname, search, host } = new URL(request.url)
    const headers = { ...Object.fromEntries(request.headers), host }
    const sent = httpRequest({ host: '127.0.0.1', port, path: `${pathname}${search}`, method: request.method, headers })
    sent.end(Buffer.from(await request.arrayBuffer()))
    const [received] = await once(sent, 'response')
    const body = await buffer(received)
    const answer = new Headers()
    for (let index = 0; index < received.rawHeaders.length; index += 2) {
      answer.append(received.rawHeaders[index], received.rawHeaders[index + 1])
    }
    const isBare = received.statusCode === 204 || received.statusCode === 304
    return new Response(isBare ? null : new Uint8Array(body), { status: received.statusCode, headers: answer })
  }

  const isOver = () => child.exitCode !== null || child.signalCode !== null
  return {
    ask,
    port: Number(port),
    isOver,
    async kill() {
      child.kill('SIGKILL')
      if (!isOver()) await ended
    },
  }
}

/** Runs an operator's command of the version; resolves to what it printed. */
export function runVersionAdmin(folder: string, environment: Environment, words: readonly string[]): string {
  const env = { PATH: process.env.PATH ?? '', ...environment }
  return execFileSync(process.execPath, ['dist/programs/admin.js', ...words], { cwd: folder, env, encoding: 'utf8' })
}
