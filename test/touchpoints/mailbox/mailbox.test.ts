import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { hasDovecot } from '../../support/dovecot.js'
import { until } from '../../support/until.js'
import { deliver, letter } from './mail-client.js'
import { ADDRESS, startMailboxFixture, type MailboxFixture } from './mailbox-fixture.js'
import { startSendingServer, type SendingServer } from './sending-server.js'

const withDovecot = hasDovecot() ? describe : describe.skip
const HOUR_MS = 3_600_000

withDovecot('a mailbox', () => {
  let fixture: MailboxFixture
  let sending: SendingServer
  let service: string
  beforeAll(async () => {
    fixture = await startMailboxFixture()
    sending = await startSendingServer()
    await fixture.client.put([letter({ text: 'Long ago' })], { at: new Date('2026-01-01T00:00:00Z') })
    await fixture.client.make('Orders')
    service = await fixture.read({ smtpHost: '127.0.0.1', smtpPort: sending.port, folders: ['INBOX', 'Orders'] })
  })
  afterAll(async () => {
    await fixture?.close()
    await sending?.close()
  })

  const states = async (count: number): Promise<[string, string | null][]> =>
    (await fixture.settled(service, count)).map(({ state, reason }) => [state, reason])

  /** Delivers a mail from somebody new. @returns the conversation and the Message-ID */
  async function begin(
    name: string,
    more: Parameters<typeof letter>[0] = {},
  ): Promise<{ conversation: string; id: string }> {
    const id = `${name}-begins@boats.example`
    await deliver(fixture.mail, [
      letter({ id, from: `${name} <${name}@boats.example>`, text: `I am ${name}`, ...more }),
    ])
    const said = await until(async () =>
      (await fixture.receivedBy(service)).find(({ text }) => text === `I am ${name}`),
    )
    return { conversation: said.conversation_id, id }
  }

  describe('is read', () => {
    it('from when its service was made: each mail is an entry of the ledger, and a message', async () => {
      await deliver(fixture.mail, [letter({ text: 'One' }), letter({ text: 'Two' })])
      const entries = await fixture.settled(service, 2)
      expect(entries.map(({ state, folder }) => [state, folder])).toEqual([
        ['stored', 'INBOX'],
        ['stored', 'INBOX'],
      ])
      expect((await fixture.texts(service)).toSorted()).toEqual(['One', 'Two'])
      const messages = await fixture.receivedBy(service)
      expect(entries.map(({ message_id }) => message_id).toSorted()).toEqual(messages.map(({ id }) => id).toSorted())
    })

    it('soon after the server took it, which the health page says; what came before is not late', async () => {
      const lag = async (): Promise<number | null> => {
        const query = 'query ($id: ID!) { service(id: $id) { health { lagP95Seconds } } }'
        const token = await fixture.app.tokenFor(fixture.admin)
        return (await fixture.app.gql(token, query, { id: service })).data.service.health.lagP95Seconds
      }
      const found = await until(async () => {
        const seconds = await lag()
        return seconds !== null && { seconds }
      })
      expect(found.seconds).toBeGreaterThanOrEqual(0)
      // Of what was there before, all of which came in January, nothing counts.
      expect(found.seconds).toBeLessThan(86_400)
    })

    it('without a trace: no flag, no copy, nothing removed, since colleagues may share it', async () => {
      const flags = await fixture.client.flags()
      expect(flags.size).toBe(3)
      expect([...flags.values()].flat().filter((flag) => flag !== '\\Recent')).toEqual([])
    })

    it('also what somebody else has read', async () => {
      await fixture.client.put([letter({ text: 'Seen' })], { flags: ['\\Seen'] })
      const entry = (await fixture.settled(service, 3)).at(-1)
      expect(entry).toMatchObject({ state: 'stored', message_id: expect.any(String) })
    })

    it('in all its folders, and a mail that is moved there is the same mail', async () => {
      await fixture.client.put([letter({ text: 'An order' })], { folder: 'Orders' })
      await until(async () => (await fixture.texts(service)).includes('An order'))
      const mail = letter({ text: 'Moved', id: 'moved@boats.example', from: 'mia@boats.example' })
      await fixture.client.put([mail])
      await until(async () => (await fixture.texts(service)).includes('Moved'))
      await fixture.client.put([mail], { folder: 'Orders' })
      const entries = await fixture.settled(service, 6)
      expect(entries.filter(({ folder }) => folder === 'Orders').map(({ state }) => state)).toEqual(['stored', 'again'])
      expect((await fixture.texts(service)).filter((text) => text === 'Moved')).toHaveLength(1)
    })

    it('and names what makes no message: automatic answers, bounces, its own mail, blocked contacts, what is empty', async () => {
      const { conversation } = await begin('nora')
      const nora = await fixture.app.server.database.query<{ contact_id: string }>(
        'select contact_id from conversation where id = $1',
        [conversation],
      )
      const block = 'mutation ($id: ID!) { updateContact(id: $id, patch: { status: BLOCKED }) { id } }'
      expect((await fixture.app.gql(fixture.admin, block, { id: nora[0]!.contact_id })).errors).toBeUndefined()
      const before = (await fixture.entries(service)).length
      await deliver(fixture.mail, [
        letter({ head: ['Auto-Submitted: auto-replied'] }),
        letter({ from: ADDRESS }),
        letter({ from: 'nora@boats.example', text: 'Let me in' }),
        letter({ subject: '', text: '' }),
      ])
      const found = (await states(before + 4)).slice(-4)
      expect(found).toEqual([
        ['automatic', 'Auto-Submitted: auto-replied'],
        ['own', "it comes from the service's own address"],
        ['blocked', 'the contact is blocked'],
        ['unreadable', 'it is empty'],
      ])
    })

    it('also after its server has cut all sessions, or was away', async () => {
      fixture.mail.cutSessions()
      await deliver(fixture.mail, [letter({ text: 'After the cut' })])
      await until(async () => (await fixture.texts(service)).includes('After the cut'))
      await fixture.mail.stop()
      await fixture.mail.run()
      await deliver(fixture.mail, [letter({ text: 'After the restart' })])
      await until(async () => (await fixture.texts(service)).includes('After the restart'))
      expect((await fixture.texts(service)).filter((text) => text?.startsWith('After'))).toHaveLength(2)
    })
  })

  describe('is answered', () => {
    it('by the mail server of its account, and answers continue their conversation by our Message-ID', async () => {
      const { conversation, id } = await begin('olga')
      const message = await fixture.answer(conversation, { text: 'Welcome, Olga' })
      await fixture.becomes(message, 'sent')
      const mail = sending.mails.at(-1)!
      expect({ from: mail.from, to: mail.to, replyTo: mail.email.replyTo?.[0]?.address }).toEqual({
        from: ADDRESS,
        to: ['olga@boats.example'],
        replyTo: ADDRESS,
      })
      expect(mail.email.references).toContain(`<${id}>`)
      // From another address, as people do: what proves it is the Message-ID.
      const head = [`In-Reply-To: ${mail.email.messageId}`, `References: <${id}> ${mail.email.messageId}`]
      await deliver(fixture.mail, [letter({ from: 'olga@home.example', text: 'Thank you', head })])
      const said = await until(async () => (await fixture.receivedBy(service)).find(({ text }) => text === 'Thank you'))
      expect(said.conversation_id).toBe(conversation)
      expect(said.meta).toMatchObject({ _writtenBy: { email: 'olga@home.example' } })
      // Anybody may write any other Message-ID.
      const forged = [
        `In-Reply-To: <${id}>`,
        'References: <0191e0a0-0000-7000-8000-000000000000.abcdefghijklmnop@harbour.example>',
      ]
      await deliver(fixture.mail, [letter({ from: 'eve@evil.example', text: 'I am Olga', head: forged })])
      const other = await until(async () =>
        (await fixture.receivedBy(service)).find(({ text }) => text === 'I am Olga'),
      )
      expect(other.conversation_id).not.toBe(conversation)
    })

    it('and what was sent is filed once, among its sent mail', async () => {
      const { conversation } = await begin('pia')
      const message = await fixture.answer(conversation, { text: 'For your files' })
      await fixture.becomes(message, 'sent')
      const messageId = sending.mails.at(-1)!.email.messageId!
      const filed = async (): Promise<string[]> =>
        [...(await fixture.client.mails('Sent')).values()].filter((raw) => raw.includes(messageId))
      await until(filed, (found) => found.length === 1)
      expect((await filed())[0]).toContain('For your files')
      expect([...(await fixture.client.flags('Sent')).values()].every((flags) => flags.includes('\\Seen'))).toBe(true)
    })

    it('and a mail whose fate is unknown is settled by the folder of sent mail, else left to an agent', async () => {
      const { conversation } = await begin('rosa')
      sending.onTaken = async ({ raw }) => void (await fixture.client.put([raw], { folder: 'Sent' }))
      sending.cutNext()
      const kept = await fixture.answer(conversation, { text: 'The server files this' })
      await fixture.becomes(kept, 'sent')
      sending.onTaken = null
      sending.cutNext()
      const lost = await fixture.answer(conversation, { text: 'Nobody files this' })
      expect(await fixture.becomes(lost, 'maybeSent')).toMatchObject({ attempts: 1 })
      const texts = sending.mails.map(({ email }) => email.text)
      expect(texts.filter((text) => text?.includes('The server files this'))).toHaveLength(1)
    })

    it('and a bounce tells that a mail did not arrive', async () => {
      const { conversation } = await begin('susi')
      const message = await fixture.answer(conversation, { text: 'Will you get this?' })
      await fixture.becomes(message, 'sent')
      const { messageId } = sending.mails.at(-1)!.email
      const body = [
        'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
        '',
        '--b',
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; mx.boats.example',
        '',
        'Final-Recipient: rfc822; susi@boats.example',
        'Action: failed',
        'Status: 5.1.1',
        'Diagnostic-Code: smtp; 550 <susi@boats.example>: no such user',
        '',
        '--b',
        'Content-Type: text/rfc822-headers',
        '',
        `Message-ID: ${messageId}`,
        '',
        '--b--',
      ].join('\r\n')
      await fixture.client.put([letter({ from: 'mailer-daemon@boats.example', body })])
      expect(await fixture.becomes(message, 'failed')).toMatchObject({
        reason: 'returned: 5.1.1 550 <susi@boats.example>: no such user',
      })
      const entry = (await fixture.settled(service, 1)).find(({ state }) => state === 'bounce')
      // The ledger is kept for as long as the service: longer than what is known of people.
      expect(entry).toMatchObject({ reason: 'returned: 5.1.1 550 <…>: no such user', message_id: null })
    })
  })

  describe('is compared with its ledger', () => {
    it('which names what was removed before it was read, after a day', async () => {
      const sql = fixture.app.server.database
      const [uid] = await fixture.client.put([letter({ text: 'Here and gone' })])
      await until(async () => (await fixture.texts(service)).includes('Here and gone'))
      // As if it had been listed, and removed before it was read.
      await sql.query(
        "update mailbox_entry set state = 'listed', retry_at = now() + interval '1 year' where service_id = $1 and uid = $2",
        [service, uid],
      )
      await fixture.client.remove([uid!])
      fixture.app.clock.advance(2 * HOUR_MS)
      const missing = 'select 1 from mailbox_entry where service_id = $1 and uid = $2 and missing_since is not null'
      await until(async () => (await sql.query(missing, [service, uid])).length > 0)
      expect((await fixture.entries(service)).find((each) => each.uid === uid)?.state).toBe('listed')
      fixture.app.clock.advance(25 * HOUR_MS)
      const entries = await until(
        () => fixture.entries(service),
        (found) => found.find((each) => each.uid === uid)?.state === 'gone',
      )
      expect(entries.find((each) => each.uid === uid)?.reason).toBe('it was not in the folder for a day')
    })

    it('and lists what is missing there', async () => {
      const sql = fixture.app.server.database
      const [uid] = await fixture.client.put([letter({ text: 'Overlooked' })])
      await until(async () => (await fixture.texts(service)).includes('Overlooked'))
      await sql.query('delete from mailbox_entry where service_id = $1 and uid = $2', [service, uid])
      fixture.app.clock.advance(2 * HOUR_MS)
      const entries = await until(
        () => fixture.entries(service),
        (found) => found.some((each) => each.uid === uid && each.state === 'again'),
      )
      expect(entries.filter((each) => each.uid === uid && each.folder === 'INBOX')).toHaveLength(1)
      expect((await fixture.texts(service)).filter((text) => text === 'Overlooked')).toHaveLength(1)
    })
  })
})
