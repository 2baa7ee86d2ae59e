import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { hasDovecot } from '../../support/dovecot.js'
import { until } from '../../support/until.js'
import { deliver, letter } from './mail-client.js'
import { startMailboxFixture, type MailboxFixture } from './mailbox-fixture.js'
import { startSendingServer, type SendingServer } from './sending-server.js'

const withDovecot = hasDovecot() ? describe : describe.skip
const SUPPLIER = 'sara@supplier.example'

withDovecot('what is forwarded by a mailbox', () => {
  let fixture: MailboxFixture
  let sending: SendingServer
  let service: string
  beforeAll(async () => {
    fixture = await startMailboxFixture()
    sending = await startSendingServer()
    service = await fixture.read({ smtpHost: '127.0.0.1', smtpPort: sending.port })
  })
  afterAll(async () => {
    await fixture?.close()
    await sending?.close()
  })

  it('is filed as other mail, and answered by our Message-ID with a note', async () => {
    await deliver(fixture.mail, [letter({ from: 'anna@boats.example', text: 'I am anna' })])
    const said = await until(async () => (await fixture.receivedBy(service)).find(({ text }) => text === 'I am anna'))
    const { data, errors } = await fixture.app.gql(
      fixture.agent,
      'mutation ($id: ID!) { forwardMessage(message: $id, to: ["sara@supplier.example"], note: "Look") { id } }',
      { id: said.id },
    )
    expect(errors).toBeUndefined()
    const note = data.forwardMessage.id as string
    await fixture.becomes(note, 'sent')
    const { email, to } = sending.mails.at(-1)!
    expect([to, email.to?.[0]?.address]).toEqual([[SUPPLIER], SUPPLIER])
    const filed = await until(async () =>
      [...(await fixture.client.mails('Sent')).values()].find((raw) => raw.includes('Forwarded message')),
    )
    expect(filed).toContain(email.messageId)
    const head = [`In-Reply-To: ${email.messageId}`, `References: ${email.messageId}`]
    await deliver(fixture.mail, [letter({ from: SUPPLIER, text: 'I see', head })])
    const answer = await until(async () => (await fixture.receivedBy(service)).find(({ text }) => text === 'I see'))
    expect(answer).toMatchObject({ conversation_id: said.conversation_id, role: 'system' })
    expect(answer.meta).toMatchObject({ _answersForwarding: note, _mail: { from: { address: SUPPLIER } } })
    const known = await fixture.app.server.database.query('select 1 from contact where email = $1', [SUPPLIER])
    expect(known).toEqual([])
    // Once, also where the copy of the mail is in another folder, or is read again.
    const rows = await fixture.app.server.database.query('select 1 from message where text = $1', ['I see'])
    expect(rows).toHaveLength(1)
  })
})
