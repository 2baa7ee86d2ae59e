import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { hasDovecot } from '../../support/dovecot.js'
import { until } from '../../support/until.js'
import { deliver, letter } from './mail-client.js'
import { ADDRESS, startMailboxFixture, type MailboxFixture } from './mailbox-fixture.js'
import { startSendingServer, type SendingServer } from './sending-server.js'

const withDovecot = hasDovecot() ? describe : describe.skip

const SHOWN = `query ($id: ID!) { message(id: $id) {
  recipients { to cc bcc subject replyTo }
  deliveries { status reason recipient copies { address status reason } } } }`

interface Delivered {
  status: string
  reason: string | null
  recipient: string
  copies: { address: string; status: string; reason: string | null }[]
}

withDovecot('an answer by mail', () => {
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
  beforeEach(() => sending.refused.clear())

  /** Delivers a mail from somebody new. @returns its message and conversation */
  async function begin(name: string, head: string[] = []): Promise<{ message: string; conversation: string }> {
    await deliver(fixture.mail, [letter({ from: `${name}@boats.example`, text: `I am ${name}`, head })])
    const said = await until(async () =>
      (await fixture.receivedBy(service)).find(({ text }) => text === `I am ${name}`),
    )
    return { message: said.id, conversation: said.conversation_id }
  }

  async function shown(message: string): Promise<{ recipients: object | null; delivery: Delivered }> {
    const { data } = await fixture.app.gql(fixture.admin, SHOWN, { id: message })
    return { recipients: data.message.recipients, delivery: data.message.deliveries.at(-1) }
  }

  const refusal = async (conversation: string, mail: object, more: object = {}): Promise<object> => {
    const { errors } = await fixture.app.gql(
      fixture.agent,
      'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }',
      { id: conversation, message: { role: 'AGENT', text: 'x', mail, ...more } },
    )
    return { code: errors?.[0]?.extensions.code, field: errors?.[0]?.extensions.field, message: errors?.[0]?.message }
  }

  it('goes to all whom its author names: those of copies see each other, those of blind copies nobody sees', async () => {
    const { conversation } = await begin('anna')
    const mail = {
      to: ['Bert@Boats.example'],
      cc: ['carl@boats.example'],
      bcc: ['dora@secret.example'],
      subject: 'About your boat',
      replyTo: 'desk@harbour.example',
    }
    const message = await fixture.answer(conversation, { text: 'To all of you', mail })
    await fixture.becomes(message, 'sent')
    const sent = sending.mails.at(-1)!
    expect(sent.to).toEqual(['anna@boats.example', 'bert@boats.example', 'carl@boats.example', 'dora@secret.example'])
    expect(sent.raw).not.toContain('dora')
    expect(sent.email).toMatchObject({
      subject: 'About your boat',
      to: [{ address: 'anna@boats.example' }, { address: 'bert@boats.example' }],
      cc: [{ address: 'carl@boats.example' }],
      replyTo: [{ address: 'desk@harbour.example' }],
    })
    const { recipients, delivery } = await shown(message)
    expect(recipients).toEqual({ ...mail, to: ['bert@boats.example'] })
    expect(delivery.copies).toEqual(
      ['bert@boats.example', 'carl@boats.example', 'dora@secret.example'].map((address) => ({
        address,
        status: 'SENT',
        reason: null,
      })),
    )
    const filed = await until(async () =>
      [...(await fixture.client.mails('Sent')).values()].find((raw) => raw.includes('To all of you')),
    )
    expect(filed).toContain('carl@boats.example')
  })

  it('to all is answered by those who got the last mail, without the sender and the addresses of services', async () => {
    const head = ['Cc: Gina <gina@boats.example>, support@harbour.example', 'Reply-To: office@boats.example']
    const { message } = await begin('fred', head)
    const { data } = await fixture.app.gql(
      fixture.admin,
      'query ($id: ID!) { message(id: $id) { mail { cc { address } others { address name } } } }',
      { id: message },
    )
    expect(data.message.mail.cc).toEqual([{ address: 'gina@boats.example' }, { address: ADDRESS }])
    expect(data.message.mail.others).toEqual([
      { address: 'office@boats.example', name: null },
      { address: 'gina@boats.example', name: 'Gina' },
    ])
  })

  it('to all goes to a colleague of the contact who wrote last, too', async () => {
    const { conversation } = await begin('nils')
    const message = await fixture.answer(conversation, { text: 'Who decides?', mail: { cc: ['otto@boats.example'] } })
    await fixture.becomes(message, 'sent')
    const { messageId } = sending.mails.at(-1)!.email
    const head = ['Cc: nils@boats.example', `In-Reply-To: ${messageId}`, `References: ${messageId}`]
    await deliver(fixture.mail, [letter({ from: 'otto@boats.example', text: 'I decide', head })])
    const said = await until(async () => (await fixture.receivedBy(service)).find(({ text }) => text === 'I decide'))
    expect(said.conversation_id).toBe(conversation)
    const others = 'query ($id: ID!) { message(id: $id) { mail { others { address } } } }'
    const { data } = await fixture.app.gql(fixture.admin, others, { id: said.id })
    expect(data.message.mail.others.map(({ address }: { address: string }) => address)).toContain('otto@boats.example')
  })

  it('names the copy that the mail server refuses, and has arrived for the others', async () => {
    const { conversation } = await begin('hugo')
    sending.refused.set('ida@boats.example', 550)
    const message = await fixture.answer(conversation, {
      text: 'One of you is unknown',
      mail: { cc: ['ida@boats.example', 'jan@boats.example'] },
    })
    await fixture.becomes(message, 'sent')
    const { delivery } = await shown(message)
    expect(delivery).toMatchObject({ status: 'SENT', reason: null })
    expect(delivery.copies).toEqual([
      { address: 'ida@boats.example', status: 'FAILED', reason: expect.stringContaining('not ida@boats.example') },
      { address: 'jan@boats.example', status: 'SENT', reason: null },
    ])
  })

  it('that the contact does not get is tried again for the contact alone: nobody has it twice', async () => {
    const { conversation } = await begin('kai')
    sending.refused.set('kai@boats.example', 450)
    const message = await fixture.answer(conversation, {
      text: 'Only the copy arrives',
      mail: { cc: ['lea@boats.example'] },
    })
    await fixture.becomes(message, 'failed')
    const before = await shown(message)
    expect(before.delivery.reason).toContain('not kai@boats.example')
    expect(before.delivery.copies).toEqual([{ address: 'lea@boats.example', status: 'SENT', reason: null }])
    sending.refused.clear()
    const { id } = await fixture.delivery(message)
    const again = 'mutation ($id: ID!) { retryDelivery(id: $id) { status } }'
    expect((await fixture.app.gql(fixture.agent, again, { id })).errors).toBeUndefined()
    await fixture.becomes(message, 'sent')
    const mails = sending.mails.filter(({ raw }) => raw.includes('Only the copy arrives'))
    expect(mails.map(({ to }) => to)).toEqual([['lea@boats.example'], ['kai@boats.example']])
    expect(mails[1]!.email.cc).toMatchObject([{ address: 'lea@boats.example' }])
  })

  it('waits with its copies while the mail server takes nothing, and fails with them', async () => {
    const { conversation } = await begin('mia')
    sending.refused.set('mia@boats.example', 550).set('noa@boats.example', 550)
    const message = await fixture.answer(conversation, { text: 'For nobody', mail: { cc: ['noa@boats.example'] } })
    await fixture.becomes(message, 'failed')
    expect((await shown(message)).delivery.copies).toMatchObject([{ status: 'FAILED' }])
  })

  it('of which a copy bounces has arrived; a bounce of the contact is its own', async () => {
    const { conversation } = await begin('olaf')
    const message = await fixture.answer(conversation, { text: 'Copies', mail: { cc: ['pia@boats.example'] } })
    await fixture.becomes(message, 'sent')
    const { messageId } = sending.mails.at(-1)!.email
    const bounce = (address: string): string =>
      letter({
        from: 'mailer-daemon@boats.example',
        body: [
          'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
          '',
          '--b',
          'Content-Type: message/delivery-status',
          '',
          'Reporting-MTA: dns; mx.boats.example',
          '',
          `Final-Recipient: rfc822; ${address}`,
          'Action: failed',
          'Status: 5.1.1',
          'Diagnostic-Code: smtp; 550 no such user',
          '',
          '--b',
          'Content-Type: text/rfc822-headers',
          '',
          `Message-ID: ${messageId}`,
          '',
          '--b--',
        ].join('\r\n'),
      })
    await fixture.client.put([bounce('pia@boats.example')])
    const { delivery } = await until(
      () => shown(message),
      (found) => found.delivery.copies[0]?.status === 'FAILED',
    )
    expect(delivery).toMatchObject({
      status: 'SENT',
      copies: [{ address: 'pia@boats.example', reason: 'returned: 5.1.1 550 no such user' }],
    })
    await fixture.client.put([bounce('olaf@boats.example')])
    expect(await fixture.becomes(message, 'failed')).toMatchObject({ reason: 'returned: 5.1.1 550 no such user' })
  })

  it('keeps its recipients while it can still be taken back', async () => {
    const { conversation } = await begin('quin')
    const message = await fixture.answer(conversation, {
      text: 'In a moment',
      delay: 50,
      mail: { cc: ['rex@boats.example'] },
    })
    await until(() => sending.mails.some(({ raw }) => raw.includes('In a moment')))
    expect(sending.mails.at(-1)!.to).toEqual(['quin@boats.example', 'rex@boats.example'])
    await fixture.becomes(message, 'sent')
  })

  it('is refused with the field that is wrong, and is no way to write to a service', async () => {
    const { conversation } = await begin('sara')
    const many = Array.from({ length: 26 }, (_, index) => `${index}@boats.example`)
    const others = many.map((address) => `x${address}`)
    for (const [mail, field, more] of [
      [{ cc: ['nobody'] }, 'mail.cc[0]', {}],
      [{ to: ['a@b.example\r\nBcc: c@d.example'] }, 'mail.to[0]', {}],
      [{ to: ['a@b.example'], bcc: ['A@b.example'] }, 'mail.bcc[0]', {}],
      [{ to: many, cc: others }, 'mail', {}],
      [{ cc: [...many, ...others] }, 'mail.cc', {}],
      [{ subject: 'One\nTwo' }, 'mail.subject', {}],
      [{ subject: 'x'.repeat(251) }, 'mail.subject', {}],
      [{ replyTo: 'x' }, 'mail.replyTo', {}],
      [{ cc: ['a@b.example'] }, 'touchpoint', { touchpoint: 'WEB' }],
      [{ cc: ['a@b.example'] }, 'role', { role: 'BOT' }],
      [{ cc: ['a@b.example'] }, 'isBackchannel', { isBackchannel: true }],
      [{ cc: ['a@b.example', ADDRESS] }, 'mail.cc[1]', {}],
    ] as const) {
      expect({ mail, ...(await refusal(conversation, mail, more)) }).toMatchObject({ code: 'BAD_USER_INPUT', field })
    }
    const sent = await fixture.answer(conversation, { text: 'To yourself', mail: { cc: ['sara@boats.example'] } })
    await fixture.becomes(sent, 'sent')
    expect(sending.mails.at(-1)!.to).toEqual(['sara@boats.example'])
  })
})
