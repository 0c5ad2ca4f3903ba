import { expect, test } from 'vitest'
import { createMailbox } from './mailbox.ts'

test('the mailbox has the newest first, and forgets the oldest', async () => {
  const mailbox = createMailbox(() => 5)
  const message = { to: 'pat@lender.example', text: 'https://service.example/invitations/x' }
  for (let count = 1; count <= 101; count += 1) await mailbox.send({ ...message, subject: `${count}` })
  expect(mailbox.messages()).toHaveLength(100)
  expect(mailbox.messages()[0]).toEqual({ ...message, subject: '101', sentAtMs: 5 })
})
