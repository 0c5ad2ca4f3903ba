import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { createSettingReader } from '../../kit/setting-reader.ts'
import { readMailSettings } from '../../plugins/mail-settings.ts'
import { createSmtpMail } from './mail.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
})

/** A mail server that takes every message, or refuses every recipient. */
async function startSmtp({ refuses = false } = {}) {
  const commands: string[] = []
  let data = ''
  const server = createServer((socket) => {
    let inData = false
    socket.on('error', () => {})
    socket.write('220 mail.example\r\n')
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      for (const line of chunk.split('\r\n').slice(0, -1)) {
        if (inData) {
          if (line === '.') socket.write('250 taken\r\n')
          else data += `${line}\n`
          inData = line !== '.'
          continue
        }
        commands.push(line)
        inData = line === 'DATA'
        socket.write(
          inData ? '354 go on\r\n' : refuses && line.startsWith('RCPT') ? '550 no such mailbox\r\n' : '250 ok\r\n',
        )
      }
    })
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, commands, data: () => data }
}

const message = { to: 'pat@lender.example', subject: 'Invitation', text: 'https://service.example/invitations/x' }

test.each([
  ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false, requireTLS: true }],
  ['smtps://mail.example', { host: 'mail.example', port: 465, secure: true, requireTLS: false }],
  ['smtps://mail.example:2465', { host: 'mail.example', port: 2465, secure: true, requireTLS: false }],
  ['smtp://localhost:2525', { host: 'localhost', port: 2525, secure: false, requireTLS: false }],
  ['smtp://[::1]', { host: '::1', port: 587, secure: false, requireTLS: false }],
  [
    'smtp://por%40tal:p%3Ass@mail.example',
    { host: 'mail.example', port: 587, secure: false, requireTLS: true, auth: { user: 'por@tal', pass: 'p:ss' } },
  ],
])('mail to %s is encrypted unless it stays on this machine, and no attachment is fetched', async (url, expected) => {
  const createTransport = vi.fn(() => ({ sendMail: async () => {} }))
  vi.doMock('nodemailer', () => ({ createTransport }))
  try {
    await createSmtpMail({ url, from: 'portal@service.example' }).send(message)
  } finally {
    vi.doUnmock('nodemailer')
  }
  const tenSeconds = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 }
  const options = { ...expected, ...tenSeconds, disableFileAccess: true, disableUrlAccess: true }
  expect(createTransport.mock.calls).toEqual([[options]])
})

test('a message goes to one recipient, with its text as it is', async () => {
  const smtp = await startSmtp()
  await createSmtpMail({ url: smtp.url, from: 'Portal <portal@service.example>' }).send(message)
  expect(smtp.commands).toContain('MAIL FROM:<portal@service.example>')
  expect(smtp.commands.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<pat@lender.example>'])
  expect(smtp.data()).toContain('Subject: Invitation')
  expect(smtp.data()).toContain(message.text)
})

test('a subject and an address cannot add a header or a recipient', async () => {
  const smtp = await startSmtp()
  const hostile = { ...message, to: 'pat@lender.example,eve', subject: 'Hello\r\nBcc: eve@evil.example' }
  await createSmtpMail({ url: smtp.url, from: 'portal@service.example' })
    .send(hostile)
    .catch(() => {})
  expect(smtp.commands.join('\n')).not.toContain('RCPT TO:<eve')
  expect(smtp.data()).not.toMatch(/^Bcc:/m)
})

test('what the server refuses, and a server that is not there, reject', async () => {
  const { url } = await startSmtp({ refuses: true })
  await expect(createSmtpMail({ url, from: 'portal@service.example' }).send(message)).rejects.toThrow()
  await expect(
    createSmtpMail({ url: 'smtp://127.0.0.1:1', from: 'portal@service.example' }).send(message),
  ).rejects.toThrow()
})

test('settings: none, whole, or refused in words that show no password', () => {
  const read = (environment: { [name: string]: string }) => readMailSettings(createSettingReader(environment))
  expect(read({})).toBeNull()
  const url = 'smtps://portal:hunter2@mail.example'
  expect(read({ SMTP_URL: url, MAIL_FROM: 'a@b.example' })).toEqual({ url, from: 'a@b.example' })
  expect(() => read({ SMTP_URL: url })).toThrow('MAIL_FROM: expected a value, because SMTP_URL is set')
  const wrong = { SMTP_URL: 'http://portal:hunter2@mail.example', MAIL_FROM: 'a@b.example' }
  expect(() => read(wrong)).toThrow(/^SMTP_URL: expected (?!.*hunter2)/)
})
