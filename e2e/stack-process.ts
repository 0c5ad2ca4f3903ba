// The whole stack as `npm start` runs it, in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export type Stack = {
  /** The lender's shop and the preview, for example `http://localhost:43117`. */
  shop: string
  /** The service behind them. */
  service: string
}

export const START_LIMIT_MS = 240_000

/** Starts the built demo on free ports and resolves once it has printed its addresses. */
export async function startStack(environment: { [name: string]: string }): Promise<{
  child: ChildProcess
  stack: Stack
  /** Everything it has printed so far. */
  printed: () => string
}> {
  const child = spawn(process.execPath, ['dist/programs/demo.js'], {
    env: { ...process.env, PORT: '0', SHOP_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const stack = await new Promise<Stack>((resolve, reject) => {
    const fail = (why: string) => {
      child.kill('SIGKILL')
      reject(new Error(`the demo ${why}:\n${printed}`))
    }
    const timer = setTimeout(() => fail('printed no addresses in time'), START_LIMIT_MS)
    child.once('exit', (code) => fail(`ended with code ${code}`))
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text
        const [, shop] = /Shop +(http\S+)/.exec(printed) ?? []
        const [, service] = /Service +(http\S+)/.exec(printed) ?? []
        if (shop === undefined || service === undefined) return
        clearTimeout(timer)
        resolve({ shop, service })
      })
    }
  })
  return { child, stack, printed: () => printed }
}

/** Ctrl-C. Resolves to the exit code. */
export async function stopStack(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  const [code] = await exited
  return code
}
