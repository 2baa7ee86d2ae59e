import { afterAll, describe, expect, it } from '@jest/globals'
import iconv from 'iconv-lite'
import { MailParser } from '../../../src/modules/touchpoints/email/mail-parser.js'
import { readMail } from '../../../src/modules/touchpoints/email/read-mail.js'

const parser = new MailParser()
afterAll(() => parser.close())

/** Bytes as a program sends them: with the character set that it names, if any. */
async function read(
  text: string,
  as: string,
  named: string | null,
  encoding = '8bit',
): Promise<{ text: string; subject: string }> {
  const body = iconv.encode(text, as)
  const head = [
    'From: zoe@example.com',
    'To: support@boats.example',
    `Content-Type: text/plain${named === null ? '' : `; charset=${named}`}`,
    `Content-Transfer-Encoding: ${encoding}`,
  ]
  const bytes = Buffer.concat([
    Buffer.from([...head, 'Subject: '].join('\r\n')),
    iconv.encode('Zoë', as),
    Buffer.from('\r\n\r\n'),
    encoding === 'base64' ? Buffer.from(body.toString('base64')) : body,
  ])
  return readMail(
    await parser.parse(bytes, { service: { id: 's', org1: 'o', org2: null }, network: '192.0.2.1' }),
    bytes,
  )
}

describe('the character set of a mail', () => {
  // [how it is encoded, what it names]
  it.each([
    ['utf-8', 'utf-8'],
    ['utf-8', 'UTF8'],
    ['utf-8', 'us-ascii'],
    ['utf-8', null],
    ['windows-1252', null],
    ['windows-1252', 'us-ascii'],
    ['iso-8859-1', 'iso-8859-1'],
    ['iso-8859-15', 'ISO-8859-15'],
    ['cp437', 'cp437'],
    ['cp850', 'cp850'],
    ['cp850', 'IBM850'],
    ['cp850', 'x-cp850'],
    ['cp858', 'cp858'],
    ['cp852', 'ibm852'],
    ['macroman', 'macintosh'],
    ['utf-7', 'utf-7'],
  ])('encoded as %s and named %s is read', async (as, named) => {
    const text = as === 'cp437' ? 'Größe 5 mm²: ½' : 'Größe: één boot'
    expect((await read(text, as, named)).text).toBe(text)
    expect((await read(text, as, named, 'base64')).text).toBe(text)
  })

  it('is guessed for a header of 8 bits', async () => {
    expect((await read('x', 'utf-8', null)).subject).toBe('Zoë')
    expect((await read('x', 'windows-1252', null)).subject).toBe('Zoë')
  })

  it('that nobody knows, or that lies, makes no failure', async () => {
    expect((await read('Größe', 'windows-1252', 'nonsense-9')).text).toBe('Größe')
    expect((await read('Größe', 'windows-1252', 'utf-8')).text).toBe('Gr\ufffd\ufffde')
    expect((await read('plain', 'utf-8', '"')).text).toBe('plain')
  })
})
