import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it, jest } from '@jest/globals'
import { MailParser } from '../../../src/modules/touchpoints/email/mail-parser.js'
import { rawMail } from './mails.js'

const parser = new MailParser()
afterAll(() => parser.close())

const OTHERS = 30

interface Way {
  network?: string
  center?: string
  customer?: string
  service?: string
}

function parse(raw: string, { network = '192.0.2.1', center = 'o', customer, service = 's' }: Way = {}) {
  return parser.parse(Buffer.from(raw), { service: { id: service, org1: center, org2: customer ?? null }, network })
}

/** @returns how many of `others`, which came before it, were given to a thread before the mail */
async function passedBy(others: (index: number) => Way, way: Way): Promise<number> {
  const given: string[] = []
  const { postMessage } = Worker.prototype
  const spy = jest.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, mail, transfer) {
    given.push(Buffer.from(mail as Uint8Array).toString())
    postMessage.call(this, mail, transfer as ArrayBuffer[])
  })
  try {
    const all = Array.from({ length: OTHERS }, (_, index) =>
      parse(rawMail({ to: 'support@boats.example', text: 'another' }), others(index)),
    )
    await Promise.all([...all, parse(rawMail({ to: 'support@boats.example', text: 'the mail' }), way)])
  } finally {
    spy.mockRestore()
  }
  expect(given).toHaveLength(OTHERS + 1)
  return given.findIndex((mail) => mail.includes('the mail'))
}

describe('many mails', () => {
  // Two are being parsed, and one may have its turn.
  const FEW = 3

  it.each<[string, (index: number) => Way, Way]>([
    ['one network', () => ({}), { network: '192.0.2.2', center: 'p' }],
    ['one network, to one service of a customer', () => ({}), { network: '192.0.2.2' }],
    [
      'one network, to as many contact centers',
      (index) => ({ center: `c${index}` }),
      { network: '192.0.2.2', center: 'p' },
    ],
    [
      'as many networks, to one contact center',
      (index) => ({ network: `198.51.100.${index}` }),
      { network: '192.0.2.2', center: 'p' },
    ],
    [
      'as many networks, to a customer of the same contact center',
      (index) => ({ network: `198.51.100.${index}`, customer: 'x' }),
      { network: '192.0.2.2', customer: 'y' },
    ],
    [
      'as many networks, to another service of the same customer',
      (index) => ({ network: `198.51.100.${index}` }),
      { network: '192.0.2.2', service: 't' },
    ],
    [
      "the installation's own mail server, to another contact center",
      () => ({ network: 'trusted' }),
      { network: 'trusted', center: 'p' },
    ],
  ])('from %s hold up no other mail', async (_what, others, way) => {
    expect(await passedBy(others, way)).toBeLessThanOrEqual(FEW)
  })

  it('of one network for one service that wait are refused, and none of others', async () => {
    const raw = rawMail({ to: 'support@boats.example' })
    const answers = await Promise.allSettled(Array.from({ length: 110 }, () => parse(raw, { network: '192.0.2.3' })))
    const refused = answers.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(8)
    expect((refused[0] as PromiseRejectedResult).reason).toMatchObject({ code: 'RATE_LIMITED' })
    await expect(parse(raw, { network: '192.0.2.2' })).resolves.toMatchObject({ subject: 'Boats' })
  })
})

describe('a mail', () => {
  const head = (type: string): string => `From: carl@example.com\r\nContent-Type: multipart/mixed; ${type}\r\n\r\n`

  it.each([
    ['boundary=b', '--b\r\n\r\nx\r\n'],
    ['boundary="b b"', '--b b\r\n\r\nx\r\n'],
    ['boundary*0="-"; boundary*1="-"', '----\r\n\r\nx\r\n'],
    ['boundary=b', '--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c--\r\n'],
  ])('of endless parts (%s) is refused at the thousandth', async (type, part) => {
    await expect(parse(head(type) + part.repeat(150_000))).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: expect.stringContaining('it has more than 1000 parts'),
    })
  })

  it('has as many lines as the largest one in Base64, and no more', async () => {
    const text = (lines: number): string => `From: carl@example.com\r\n\r\n${'x\n'.repeat(lines)}`
    await expect(parse(text(1_400_000))).resolves.toMatchObject({ text: expect.stringMatching(/^x\nx\n/) })
    await expect(parse(text(1_600_000))).rejects.toMatchObject({
      message: expect.stringContaining('it has more than 1500000 lines'),
    })
  })

  it('may have many attachments, and lines that look like boundaries', async () => {
    const attachments = Array.from({ length: 400 }, (_, index) => ({
      name: `${index}.txt`,
      type: 'text/plain',
      content: Buffer.from(`content ${index}`),
    }))
    const text = '--\r\n-- a comment\r\n--- a/b\r\n--b1x\r\n'.repeat(2_000)
    const email = await parse(rawMail({ to: 'support@boats.example', text, attachments }))
    expect(email.attachments).toHaveLength(400)
    expect(Buffer.from(email.attachments[7]!.content as ArrayBuffer).toString()).toBe('content 7')
    expect(email.text!.replaceAll('\r\n', '\n')).toContain('--b1x\n--\n')
  })
})
