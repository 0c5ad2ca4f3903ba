// Real sockets: what matters here is how connections begin and end.
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Fetch, type NodeServer, startNodeServer, type Timing } from './node-server.ts'
import { readBody } from './read-body.ts'

/** Nothing here may be cut off because the machine is slow. */
const patient: Partial<Timing> = { headersMs: 120_000, requestMs: 120_000, drainMs: 60, stopMs: 120_000 }

const running: NodeServer[] = []
afterEach(() => Promise.all(running.splice(0).map((server) => server.stop())))

async function start(fetch: Fetch, timing: Partial<Timing> = {}): Promise<NodeServer> {
  const server = await startNodeServer({ fetch, host: '127.0.0.1', port: 0, timing: { ...patient, ...timing } })
  running.push(server)
  return server
}

const hello: Fetch = () => Response.json({ hello: true })

/** Sends the text as it is and resolves to everything that came back by the time the server hung up. */
function converse(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (data) => {
      heard += data
    })
    socket.on('close', () => resolve(heard))
    socket.on('error', reject)
  })
}

describe('a sender that is too slow', () => {
  test.each([
    ['says nothing', ''],
    ['never ends its headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n'],
    ['never sends its body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{'],
  ])('and %s is hung up on', async (_name, text) => {
    const { port } = await start(
      async (request) => {
        await readBody(request, 100)
        return new Response()
      },
      { headersMs: 800, requestMs: 1_200, checkMs: 100 },
    )
    const heard = await converse(port, text)
    expect(heard === '' || heard.startsWith('HTTP/1.1 408') || heard.startsWith('HTTP/1.1 400')).toBe(true)
  })

  test('does not keep others waiting', async () => {
    const server = await start(hello, { stopMs: 100 })
    const slow = Array.from({ length: 50 }, () => converse(server.port, 'GET / HTTP/1.1\r\n'))
    expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(200)
    await server.stop()
    await Promise.all(slow)
  })
})

describe('what is not HTTP', () => {
  test.each([
    ['noise', 'hello\r\n\r\n', '400'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', '400'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      '400',
    ],
    ['a header over two lines', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n', '400'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', '400'],
    ['a host that is none', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', '400'],
    ['an unknown expectation', 'POST / HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nContent-Length: 9\r\n\r\n', '417'],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'b'.repeat(20_000)}\r\n\r\n`, '431'],
  ])('%s is refused', async (_name, text, status) => {
    const { port } = await start(hello)
    const heard = await converse(port, text)
    expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(heard.split('\r\n\r\n')[1]).toMatch(/\{"code":"validation-error","message":"[^"]+"\}/)
  })
})

test('a health check in HTTP/1.0, which names no host, is answered', async () => {
  const { port } = await start(hello)
  expect(await converse(port, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
})

test('an idle connection is kept for longer than the sixty seconds of the usual proxies, and the answer says so', async () => {
  const { port } = await start(hello)
  const response = await fetch(`http://127.0.0.1:${port}/`)
  expect(response.headers.get('Keep-Alive')).toBe('timeout=65')
})

test('a handler that breaks without an error still answers', async () => {
  const { port } = await start(() => Promise.reject('a text'))
  const response = await fetch(`http://127.0.0.1:${port}/`)
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({ code: 'internal-error', message: expect.any(String) })
})

test('an upload over the limit is cut off before it has been sent', async () => {
  const { port } = await start(async (request) => {
    const refused = await readBody(request, 65_536).then(
      () => false,
      () => true,
    )
    return new Response(null, { status: refused ? 413 : 200 })
  })
  const chunk = Buffer.alloc(65_536, 'a')
  let sent = 0
  const heard = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
      push(socket)
    })
    const push = (to: Socket) => {
      if (to.destroyed || sent >= 100_000_000) return
      sent += chunk.length
      to.write(`10000\r\n${chunk}\r\n`, () => setImmediate(push, to))
    }
    socket.on('data', (data) => {
      text += data
      if (text.startsWith('HTTP/1.1 413')) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
  expect(heard).toMatch(/^HTTP\/1.1 413 /)
  expect(sent).toBeLessThan(10_000_000)
})

describe('stopping', () => {
  test('finishes what is in progress, on connections that stay open between requests', async () => {
    let arrived = 0
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const server = await start(async () => {
      arrived += 1
      await finished
      return Response.json({ done: true })
    })
    const requests = Promise.all(Array.from({ length: 50 }, () => fetch(`http://127.0.0.1:${server.port}/`)))
    while (arrived < 50) await new Promise((resolve) => setTimeout(resolve, 5))
    const stopped = server.stop()
    finish()
    const responses = await requests
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200))
    await Promise.all(responses.map((response) => response.text()))
    await stopped
    await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow()
  })

  test('finishes what outlives the drain too', async () => {
    let arrive = () => {}
    let finish = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const server = await start(async () => {
      arrive()
      await finished
      return Response.json({ done: true })
    })
    const request = fetch(`http://127.0.0.1:${server.port}/`)
    await arrived
    const stopped = server.stop()
    // The drain is over once no new connection is accepted.
    while (await isListening(server.port)) await new Promise((resolve) => setTimeout(resolve, 10))
    finish()
    expect(await (await request).json()).toEqual({ done: true })
    await stopped
  })

  test('finishes an answer that has begun', async () => {
    let finish = () => {}
    const server = await start(() => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(Buffer.from('begun'))
          finish = () => {
            controller.enqueue(Buffer.from(', ended'))
            controller.close()
          }
        },
      })
      return new Response(body)
    })
    const response = await fetch(`http://127.0.0.1:${server.port}/`)
    const stopped = server.stop()
    finish()
    expect(await response.text()).toBe('begun, ended')
    await stopped
  })

  test.each([
    ['200 OK', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['400 Bad Request', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n'],
  ])('tells clients in mid-conversation to close, and answers what crosses with that: %s', async (status, crossing) => {
    const server = await start(hello, { drainMs: 1_500 })
    const answers = await new Promise<string>((resolve) => {
      let heard = ''
      const socket = connect(server.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
      socket.on('data', (data) => {
        heard += data
        if (heard.split('HTTP/1.1').length !== 2) return
        void server.stop()
        socket.write(crossing)
      })
      socket.on('close', () => resolve(heard))
    })
    const [, first, second, ...more] = answers.split('HTTP/1.1 ')
    expect(first).toMatch(/^200 OK/)
    expect(second?.startsWith(status)).toBe(true)
    expect(second).toMatch(/connection: close/i)
    expect(more).toEqual([])
  })

  test('does not wait for idle connections', async () => {
    const server = await start(hello)
    const idle = converse(server.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await fetch(`http://127.0.0.1:${server.port}/`)
    await server.stop()
    expect(await idle).toMatch(/^HTTP\/1.1 200/)
  })

  test('cuts off what takes longer than it may', async () => {
    const server = await start(() => new Promise<Response>(() => {}), { stopMs: 100 })
    const hanging = converse(server.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => setTimeout(resolve, 20))
    await server.stop()
    expect(await hanging).toBe('')
  })

  test('twice is once', async () => {
    const server = await start(hello)
    expect(server.stop()).toBe(server.stop())
  })
})

test('a port that is taken is an error, not a silence', async () => {
  const { port } = await start(hello)
  await expect(startNodeServer({ fetch: hello, host: '127.0.0.1', port })).rejects.toThrow(/EADDRINUSE/)
})

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
