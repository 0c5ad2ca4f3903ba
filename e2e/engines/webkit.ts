// WebKit where Playwright has none of its own: Debian's WebKitGTK through its WebDriver, on a screen that exists only
// in memory.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { WebKitDriver } from '../../scripts/ensure-engines.mjs'
import { FIND_BUTTON, FIND_HEADING, FIND_LABELLED, FIND_OPTION, FIND_SUMMARY, FIND_TEXT } from './find-in-page.ts'
import { type Person, type RunningEngine, SEE_LIMIT_MS } from './person.ts'
import { type ElementReference, isElement, openSession, type WebDriverSession } from './web-driver.ts'

const LOOK_AGAIN_MS = 50
const START_LIMIT_MS = 240_000

export async function startWebKit({ driver, browser, screen }: WebKitDriver): Promise<RunningEngine> {
  const children: ChildProcess[] = []
  const stop = async () => {
    for (const child of children.toReversed()) await end(child)
  }
  try {
    const display = spawn(screen, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    children.push(display)
    const number = await displayNumberOf(display)
    const port = await freePort()
    const server = spawn(driver, [`--port=${port}`], {
      // Composited pages come out blank in pictures.
      env: { ...process.env, DISPLAY: `:${number}`, WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
      stdio: 'ignore',
    })
    children.push(server)
    const address = `http://127.0.0.1:${port}`
    await untilUp(address)
    return { open: async () => sitAtSession(await openSession(address, capabilitiesOf(browser))), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The screen chooses a free number and tells it. */
async function displayNumberOf(display: ChildProcess): Promise<string> {
  const [said] = await Promise.race([once(display.stdio[3] as Readable, 'data'), once(display, 'exit')])
  const number = /^\d+/.exec(String(said))?.[0]
  if (display.exitCode !== null || number === undefined) throw new Error('the screen did not start')
  return number
}

function capabilitiesOf(binary: string): object {
  return { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args: ['--automation'] } }
}

function sitAtSession(session: WebDriverSession): Person {
  async function find(script: string, text: string): Promise<ElementReference> {
    const giveUpAtMs = Date.now() + SEE_LIMIT_MS
    for (;;) {
      const found = await session.execute(script, text)
      if (isElement(found)) return found
      if (Date.now() > giveUpAtMs) throw new Error(`looked in vain for “${text}”`)
      await setTimeout(LOOK_AGAIN_MS)
    }
  }
  return {
    goto: (address) => session.goto(address),
    async fill(label, text) {
      const input = await find(FIND_LABELLED, label)
      await session.clear(input)
      await session.type(input, text)
    },
    async choose(label, option) {
      await find(FIND_LABELLED, label)
      await session.click(await find(FIND_OPTION, option))
    },
    unfold: async (text) => session.point(await find(FIND_SUMMARY, text)),
    press: async (name) => session.point(await find(FIND_BUTTON, name)),
    seeHeading: async (text) => void (await find(FIND_HEADING, text)),
    seeText: async (text) => void (await find(FIND_TEXT, text)),
    evaluate: (expression) => session.execute(`return (${expression})`),
    takePicture: () => session.takePicture(),
    leave: () => session.end(),
  }
}

async function untilUp(address: string): Promise<void> {
  const giveUpAtMs = Date.now() + START_LIMIT_MS
  for (;;) {
    try {
      await fetch(`${address}/status`)
      return
    } catch (error) {
      if (Date.now() > giveUpAtMs) throw error
      await setTimeout(LOOK_AGAIN_MS)
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address ? address.port : 0
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
