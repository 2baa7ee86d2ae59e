import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Mailer, type Mail } from '../../src/platform/outbound/mailer.js'
import { startMailbox, type Mailbox } from '../support/mailbox.js'

let box: Mailbox
let mailer: Mailer

const mail: Mail = { to: { name: 'Carl', address: 'carl@example.com' }, subject: 'Boats', text: 'Good morning' }

beforeAll(async () => {
  box = await startMailbox()
  mailer = new Mailer({ smtpUrl: box.url, from: 'Switchboard <no-reply@example.org>', allowPrivate: false })
})

afterAll(async () => {
  mailer.close()
  await box.close()
})

test('sent one after the other share a connection; one closed by the server is reopened', async () => {
  await mailer.send(mail)
  await mailer.send(mail)
  expect([box.mails.length, box.connections()]).toEqual([2, 1])
  box.next('mail', 'cut')
  await mailer.send(mail)
  expect([box.mails.length, box.connections()]).toEqual([3, 2])
})

test('5xx is permanent and 4xx transient, at every step', async () => {
  for (const step of ['mail', 'rcpt', 'data'] as const) {
    for (const [code, outcome] of [
      [550, 'refused'],
      [451, 'failed'],
    ] as const) {
      const fresh = new Mailer({ smtpUrl: box.url, from: 'no-reply@example.org', allowPrivate: false })
      box.next(step, code)
      const told = { outcome, message: expect.stringContaining(String(code)) }
      await expect(fresh.send(mail)).rejects.toMatchObject(told)
    }
  }
})

test('a connection lost before the end of the mail is retried; after it, the outcome is unknown', async () => {
  const fresh = new Mailer({ smtpUrl: box.url, from: 'no-reply@example.org', allowPrivate: false })
  box.next('rcpt', 'cut')
  await expect(fresh.send(mail)).rejects.toMatchObject({ outcome: 'failed' })
  box.next('data', 'cut')
  await expect(fresh.send(mail)).rejects.toMatchObject({ outcome: 'unknown' })
  const nobody = new Mailer({ smtpUrl: 'smtp://127.0.0.1:1', from: 'no-reply@example.org', allowPrivate: false })
  await expect(nobody.send(mail)).rejects.toMatchObject({ outcome: 'failed' })
})

test('names, subjects and addresses add no header and no recipient, for any content', async () => {
  const before = box.mails.length
  await mailer.send({
    ...mail,
    from: { name: 'Ann\r\nBcc: eve@example.com', address: 'ann@example.org' },
    to: { name: 'Carl"\r\nX-Evil: 1\r\n\r\nbody', address: 'carl@example.com' },
    subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nbody',
  })
  const { email, to } = box.mails[before]!
  expect(to).toEqual(['carl@example.com'])
  expect(email.headers.map(({ key }) => key)).not.toEqual(expect.arrayContaining(['bcc']))
  expect(email.headers.some(({ key }) => key === 'x-evil')).toBe(false)
  expect(email.text?.trim()).toBe('Good morning')
  for (const address of [
    'carl@example.com, eve@example.com',
    'carl@example.com\r\nRCPT TO:<eve@example.com>',
    'nobody',
  ]) {
    await mailer.send({ ...mail, to: { name: '', address } }).catch(() => undefined)
  }
  const recipients = box.mails.slice(before).flatMap((each) => each.to)
  expect(recipients.filter((each) => each.startsWith('eve'))).toEqual([])
})

test("a client's own mail server is spoken to at public addresses only", async () => {
  for (const smtpUrl of [
    box.url,
    'smtp://[::1]:25',
    'smtp://localhost:25',
    'smtp://169.254.169.254:25',
    'smtp://[::ffff:127.0.0.1]:25',
  ]) {
    const refused = { outcome: 'refused', message: expect.stringContaining('private or reserved') }
    await expect(mailer.send(mail, { smtpUrl })).rejects.toMatchObject(refused)
  }
  const allowed = new Mailer({ smtpUrl: undefined, from: 'no-reply@example.org', allowPrivate: true })
  await allowed.send(mail, { smtpUrl: box.url })
  allowed.close()
})
