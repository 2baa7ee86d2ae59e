import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import iconv from 'iconv-lite'
import { hasDovecot } from '../../support/dovecot.js'
import { until } from '../../support/until.js'
import { letter } from './mail-client.js'
import { startMailboxFixture, type Entry, type MailboxFixture } from './mailbox-fixture.js'

const withDovecot = hasDovecot() ? describe : describe.skip

/** A mail of parts, each with its header lines. */
const ofParts = (kind: string, ...parts: string[]): string =>
  [`Content-Type: multipart/${kind}; boundary=b`, '', ...parts.map((part) => `--b\r\n${part}`), '--b--'].join('\r\n')
const inBase64 = (type: string, name: string, content: Buffer): string =>
  [
    `Content-Type: ${type}; name=${name}`,
    `Content-Disposition: attachment; filename=${name}`,
    'Content-Transfer-Encoding: base64',
    '',
    content.toString('base64'),
  ].join('\r\n')
const encoded = (text: string, charset: string): string =>
  [
    `Content-Type: text/plain; charset=${charset}`,
    'Content-Transfer-Encoding: base64',
    '',
    iconv.encode(text, charset).toString('base64'),
  ].join('\r\n')
const PLAIN = 'Content-Type: text/plain\r\n\r\n'
const TNEF = inBase64('application/ms-tnef', 'winmail.dat', Buffer.from('789f3e22', 'hex'))
const CALENDAR = 'Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR'
const JAPANESE = 'Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n\x1b$BA%\x1b(B'

/** Each mail, its state, and what the message says of it. */
const HARD: readonly [name: string, body: string, state: string, says: string][] = [
  ['TNEF beside a text', ofParts('mixed', `${PLAIN}See the program`, TNEF), 'stored', 'See the program'],
  ['TNEF alone', TNEF, 'unreadable', 'TNEF alone'],
  ['an invitation', ofParts('alternative', `${PLAIN}Come at nine`, CALENDAR), 'stored', 'Come at nine'],
  ['S/MIME, encrypted', inBase64('application/pkcs7-mime', 'smime.p7m', Buffer.alloc(99, 1)), 'unreadable', 'S/MIME'],
  [
    'S/MIME, signed',
    ofParts('signed', `${PLAIN}Signed words`, inBase64('application/pkcs7-signature', 'smime.p7s', Buffer.alloc(9))),
    'stored',
    'Signed words',
  ],
  ['cp850', encoded('Größe: één boot', 'cp850'), 'stored', 'Größe: één boot'],
  ['gb18030', encoded('船什么时候好', 'gb18030'), 'stored', '船什么时候好'],
  ['utf-7', encoded('Größe', 'utf-7'), 'stored', 'Größe'],
  ['iso-2022-jp', JAPANESE, 'stored', '船'],
  ['10,000 parts', ofParts('mixed', ...Array<string>(10_000).fill(`${PLAIN}x`)), 'unreadable', '10,000 parts'],
  ['a boundary that never comes', 'Content-Type: multipart/mixed; boundary=z\r\n\r\nwords without it', 'stored', ''],
  ['a body of the wrong encoding', 'Content-Transfer-Encoding: base64\r\n\r\n%%%%', 'stored', ''],
  [
    'an end within a part',
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/pl',
    'stored',
    '',
  ],
]

withDovecot('hard mails', () => {
  let fixture: MailboxFixture
  let entries: Entry[]
  let service: string
  beforeAll(async () => {
    fixture = await startMailboxFixture()
    service = await fixture.read()
    await until(async () => (await fixture.app.server.database.query('select 1 from mailbox_epoch')).length > 0)
    const mails = HARD.map(([subject, body], index) => letter({ subject, body, from: `hard.${index}@boats.example` }))
    await fixture.client.put([...mails, letter({ text: 'the one behind them' })])
    entries = await fixture.settled(service, HARD.length + 1)
  })
  afterAll(() => fixture?.close())

  const messageOf = async ({ message_id: id }: Entry): Promise<{ text: string | null; names: string[] }> => {
    const sql = fixture.app.server.database
    const [message] = await sql.query<{ text: string | null; contact: string }>(
      'select m.text, c.contact_id as contact from message m join conversation c on c.id = m.conversation_id where m.id = $1',
      [id],
    )
    const files = await sql.query<{ file_name: string }>('select file_name from attachment where contact_id = $1', [
      message!.contact,
    ])
    return { text: message!.text, names: files.map(({ file_name: name }) => name) }
  }

  it('stop nobody: the mail behind them is read', async () => {
    expect(entries).toHaveLength(HARD.length + 1)
    expect(await messageOf(entries.at(-1)!)).toMatchObject({ text: 'the one behind them' })
  })

  it.each(HARD.map((each, index) => [...each, index] as const))('%s', async (_name, _body, state, says, index) => {
    const entry = entries[index]!
    expect({ ...entry }).toMatchObject({
      reason: state === 'stored' ? null : expect.any(String),
      state,
      message_id: expect.any(String),
    })
    const { text, names } = await messageOf(entry)
    expect(text).toContain(says)
    // What nobody can read here is kept as it came.
    expect(names.includes('mail.eml')).toBe(state === 'unreadable')
  })
})
