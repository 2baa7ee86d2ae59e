import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { MailParser } from '../../../src/modules/touchpoints/email/mail-parser.js'
import { rawMail } from './mails.js'

const MAILS = 10
const MEBIBYTE = 1_048_576
const parser = new MailParser()

const parse = (raw: string, network: string) =>
  parser.parse(Buffer.from(raw), { service: { id: 's', org1: 'o', org2: null }, network })

beforeAll(async () => {
  // All threads have started.
  const raw = rawMail({ to: 'support@boats.example' })
  await Promise.all(Array.from({ length: 8 }, () => parse(raw, '192.0.2.1')))
})
afterAll(() => parser.close())

const mail = (headers: string, body: string): string => `From: carl@example.com\r\n${headers}\r\n${body}`
const BASE64 = 'Content-Transfer-Encoding: base64\r\n'

it.each([
  ['a million lines', mail('', 'x\r\n'.repeat(1_000_000))],
  ['a million lines of Base64 that each end', mail(BASE64, 'QQ==\r\n'.repeat(1_000_000))],
  ['millions of pieces of Base64 in a line', mail(BASE64, 'QQ=='.repeat(4_000_000))],
])('%s in each mail leave no memory taken', async (_what, raw) => {
  const before = process.memoryUsage().rss
  await Promise.allSettled(Array.from({ length: MAILS }, (_, at) => parse(raw, `192.0.2.${at % 3}`)))
  expect((process.memoryUsage().rss - before) / MEBIBYTE).toBeLessThan(250)
})
