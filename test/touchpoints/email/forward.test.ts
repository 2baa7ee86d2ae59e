import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { bounceMail, rawMail, sendBySmtp } from './mails.js'
import { until } from '../../support/until.js'
import { startForwardFixture, SUPPLIER, SUPPORT, type ForwardFixture } from './forward-fixture.js'

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64, 7)])

let f: ForwardFixture
beforeAll(async () => void (f = await startForwardFixture()))
afterAll(() => f.close())

/** The state that an answer of the consumer would change. */
const stateOf = async (conversation: string): Promise<unknown> => {
  const [row] = await f.app.server.database.query(
    `select status, awaiting_reply, turn, unanswered_since, last_message_role, preview, touchpoint, queued_at, contact_id,
       (select json_agg(json_build_object('service', t.service_id, 'conversation', t.conversation_id)) from touchpoint_thread t
         where t.contact_id = c.contact_id) as threads
     from conversation c where id = $1`,
    [conversation],
  )
  return row
}

const contacts = async (): Promise<number> => {
  const [row] = await f.app.server.database.query<{ count: number }>('select count(*)::int as count from contact')
  return row!.count
}

describe('forwardMessage', () => {
  it('mails the message with its head to people outside, and leaves a note with a delivery', async () => {
    const { message, conversation } = await f.begin('carl', {
      subject: 'A leak',
      text: 'My boat <leaks>.\nHelp!',
      headers: { Cc: 'Eve <eve@partner.example>' },
    })
    const before = await stateOf(conversation)
    const note = await f.forward(message, [SUPPLIER, 'Tom@Supplier.example'], { note: 'Can you & Tom help?\nAnn' })
    expect(note).toMatchObject({
      role: 'AGENT',
      isBackchannel: true,
      text: 'Can you & Tom help?\nAnn',
      forwarding: { messageId: message, to: [SUPPLIER, 'tom@supplier.example'] },
      recipients: null,
      deliveries: [{ status: 'QUEUED', recipient: SUPPLIER, copies: [{ address: 'tom@supplier.example' }] }],
    })
    const { to, email } = await f.sentTo(SUPPLIER, 'A leak')
    expect(to).toEqual([SUPPLIER, 'tom@supplier.example'])
    expect(email).toMatchObject({
      subject: 'Fwd: A leak',
      from: { name: 'Ann, Harbour Boats', address: SUPPORT },
      to: [{ address: SUPPLIER }, { address: 'tom@supplier.example' }],
    })
    expect([email.inReplyTo, email.references]).toEqual([undefined, undefined])
    expect(email.text?.trim()).toMatch(
      /^Can you & Tom help\?\nAnn\n\n-+ Forwarded message -+\nFrom: carl <carl@example\.com>\nDate: .* UTC\nSubject: A leak\nTo: support@boats\.example\nCc: Eve <eve@partner\.example>\n\nMy boat <leaks>\.\nHelp!$/,
    )
    expect(email.html).toContain('<p>My boat &lt;leaks&gt;.<br />Help!</p>')
    expect(email.html).toContain('<b>From:</b> carl &lt;carl@example.com&gt;')
    expect((await f.becomes(note.id, 'SENT')).deliveries[0]).toMatchObject({ copies: [{ status: 'SENT' }] })
    expect(await stateOf(conversation)).toEqual(before)
  })

  it('carries the files that came with the message, and links those that are too large together', async () => {
    const big = (fill: number): Buffer => Buffer.concat([PNG, Buffer.alloc(3_000_000, fill)])
    const { message, conversation } = await f.begin('fileas', {
      subject: 'Two files',
      attachments: [1, 2].map((each) => ({ name: `leak-${each}.png`, type: 'image/png', content: big(each) })),
    })
    const all = await f.messagesOf(conversation)
    expect(all.filter(({ meta }) => meta?.fileId)).toHaveLength(2)
    await f.forward(message, [SUPPLIER])
    const { email } = await f.sentTo(SUPPLIER, 'Two files')
    expect(email.attachments.map(({ filename }) => filename)).toEqual(['leak-1.png'])
    expect(email.text).toMatch(/leak-2\.png: https?:\/\/\S+\/v2\/attachments\//)
    expect(email.html).toContain('>leak-2.png</a>')
    // A file by itself is a message by itself.
    const file = all.find(({ meta }) => meta?.fileName === 'leak-2.png')!
    await f.forward(file.id, ['files@supplier.example'])
    expect((await f.sentTo('files@supplier.example', 'Two files')).email.attachments).toHaveLength(1)
  })

  it("forwards an agent's answer too, and then says to whom it went, but for blind copies", async () => {
    const { conversation } = await f.begin('gerd')
    const sent = await f.must(
      f.agent,
      'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }',
      {
        id: conversation,
        message: {
          role: 'AGENT',
          text: '<p>We <b>do</b>.</p>',
          contentType: 'TEXT_HTML',
          mail: { cc: ['cora@example.com'], bcc: ['hidden@secret.example'] },
        },
      },
    )
    await f.becomes(sent.sendMessage.id, 'SENT')
    await f.forward(sent.sendMessage.id, ['boss@supplier.example'])
    const { email, raw } = await f.sentTo('boss@supplier.example', 'Boats')
    expect(email.text).toMatch(
      /From: Ann, Harbour Boats\nDate: .*\nSubject: Boats\nTo: gerd <gerd@example\.com>\nCc: cora@example\.com/,
    )
    expect(email.html).toContain('<p>We <b>do</b>.</p>')
    expect(raw).not.toContain('hidden@')
  })

  it('is refused for what may not go out, with the field and the value', async () => {
    const { message, conversation, contact } = await f.begin('nora')
    expect(await f.refusal(message, [])).toMatchObject({ code: 'BAD_USER_INPUT', field: 'to' })
    expect(await f.refusal(message, ['nobody'])).toMatchObject({
      field: 'to[0]',
      message: expect.stringContaining('nobody'),
    })
    expect(await f.refusal(message, [SUPPLIER, SUPPLIER.toUpperCase()])).toMatchObject({ field: 'to[1]' })
    const many = Array.from({ length: 11 }, (_, at) => `a${at}@supplier.example`)
    expect(await f.refusal(message, many)).toMatchObject({ field: 'to', message: expect.stringContaining('11') })
    for (const own of [SUPPORT, SUPPORT.toUpperCase(), 'support+desk@boats.example'])
      expect(await f.refusal(message, [SUPPLIER, own])).toMatchObject({
        field: 'to[1]',
        message: expect.stringContaining(own.toLowerCase()),
      })
    for (const own of ['nora@example.com', 'nora+home@example.com'])
      expect(await f.refusal(message, [own])).toMatchObject({ field: 'to[0]' })
    expect(await f.refusal(message, [SUPPLIER], { note: 'x'.repeat(65_537) })).toMatchObject({ field: 'note' })
    const send = async (given: object): Promise<string> => {
      const data = await f.must(
        f.agent,
        'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }',
        { id: conversation, message: given },
      )
      return data.sendMessage.id
    }
    const note = await send({ role: 'AGENT', text: 'Among us', isBackchannel: true })
    expect(await f.refusal(note, [SUPPLIER])).toMatchObject({ code: 'UNPROCESSABLE', reason: 'NOT_FORWARDED' })
    const command = await send({ type: 'COMMAND', text: '/set @name Leak' })
    expect(await f.refusal(command, [SUPPLIER], { evenIfInternal: true })).toMatchObject({ reason: 'NOT_FORWARDED' })
    expect((await f.forward(note, ['nina@supplier.example'], { evenIfInternal: true })).forwarding?.messageId).toBe(
      note,
    )
    expect((await f.sentTo('nina@supplier.example', 'Boats')).email.text).toContain('Among us')
    const other = await f.app.makeUser({ organization: await f.app.makeOrganization() })
    expect(await f.refusal(message, [SUPPLIER], {}, other)).toMatchObject({ code: 'NOT_FOUND' })
    const bot = await f.app.makeUser({ organization: f.organization, role: 'bot' })
    expect(await f.refusal(message, [SUPPLIER], {}, bot)).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'PERSON_REQUIRED',
    })
    const viewer = await f.app.makeUser({ organization: f.organization, role: 'viewer' })
    expect(await f.refusal(message, [SUPPLIER], {}, viewer)).toMatchObject({ code: 'FORBIDDEN' })
    const token = await f.must(f.admin, 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }', {
      id: conversation,
    })
    expect(await f.refusal(message, [SUPPLIER], {}, token.createGuestToken.token)).toMatchObject({ code: 'FORBIDDEN' })
    expect(contact).not.toBeNull()
  })

  it('forwards once for an idempotency key, and not without a service that sends mail', async () => {
    const { message } = await f.begin('ida')
    const key = `key-${message}`
    const one = await f.forward(message, [SUPPLIER], { key })
    expect((await f.forward(message, [SUPPLIER], { key })).id).toBe(one.id)
    const alone = await f.app.makeOrganization()
    const agent = await f.app.makeUser({ organization: alone })
    const made = await f.must(
      agent,
      `mutation ($input: CreateConversationInput!) { createConversation(input: $input) { messages(first: 1) { edges { node { id } } } } }`,
      {
        input: {
          contact: { profile: { name: 'Ada', email: 'ada@example.com' } },
          touchpoint: 'WEB',
          messages: [{ role: 'CONTACT', text: 'Hi' }],
        },
      },
    )
    const id = made.createConversation.messages.edges[0].node.id
    expect(await f.refusal(id, [SUPPLIER], {}, agent)).toMatchObject({ reason: 'TOUCHPOINT_UNAVAILABLE' })
  })
})

describe('an answer to a forwarded mail', () => {
  async function forwarded(name: string) {
    const begun = await f.begin(name, { subject: `Boat of ${name}` })
    const note = await f.forward(begun.message, [SUPPLIER], { note: `About ${name}` })
    return { ...begun, note, sent: await f.sentTo(SUPPLIER, `Boat of ${name}`) }
  }

  it('is a note with its sender, and changes nothing of the conversation of the consumer', async () => {
    const { conversation, note, sent } = await forwarded('olga')
    await f.becomes(note.id, 'SENT')
    const [before, known] = [await stateOf(conversation), await contacts()]
    const answered = await f.answer(sent, {
      text: 'Yes, tomorrow.\n\nOn Mon, 23 Nov 2026 Ann <a@b.example> wrote:\n> Can you?',
    })
    expect(answered).toMatchObject({ conversation, contact: null, isRepeat: false })
    expect(await f.shown(answered.message)).toMatchObject({
      role: 'SYSTEM',
      isBackchannel: true,
      text: 'Yes, tomorrow.',
      answeredForwardingId: note.id,
      author: null,
      deliveries: [],
      mail: { from: { address: SUPPLIER, name: 'Sara' } },
    })
    expect(await stateOf(conversation)).toEqual(before)
    expect(await contacts()).toBe(known)
    // Another one, from somebody else, by our Message-ID alone.
    const second = await f.answer(sent, { from: 'tim@elsewhere.example', to: SUPPORT, text: 'I can, too.' })
    expect(second).toMatchObject({ conversation, contact: null })
    expect(await f.shown(second.message)).toMatchObject({ mail: { from: { address: 'tim@elsewhere.example' } } })
    expect(await stateOf(conversation)).toEqual(before)
    const inbox = await f.app.server.database.query(
      'select inbox_reason from participant where conversation_id = $1 and user_id = $2',
      [conversation, f.agent.id],
    )
    expect(inbox).toEqual([{ inbox_reason: 'forwardAnswered' }])
  })

  it('comes by SMTP to the address of the answer alone, once, with its files, and never to the consumer', async () => {
    const { conversation, sent } = await forwarded('pia')
    const to = sent.email.replyTo![0]!.address!
    const raw = rawMail({
      from: SUPPLIER,
      to,
      text: 'See the plan',
      messageId: 'plan-1@supplier.example',
      attachments: [{ name: 'plan.png', type: 'image/png', content: PNG }],
    })
    for (const times of [1, 2]) {
      expect({ times, ...(await sendBySmtp(f.port, { from: SUPPLIER, to: [to], raw })) }).toMatchObject({ code: 250 })
    }
    const forged = to.replace(/\+(.)/, (_, first: string) => `+${first === 'a' ? 'b' : 'a'}`)
    expect(await sendBySmtp(f.port, { from: SUPPLIER, to: [forged], raw })).toMatchObject({ code: 550 })
    const notes = (await f.messagesOf(conversation)).filter(({ answeredForwardingId }) => answeredForwardingId !== null)
    expect(notes).toHaveLength(2)
    expect(notes[1]!.meta).toMatchObject({ fileName: 'plan.png' })
    const token = await f.must(f.admin, 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }', {
      id: conversation,
    })
    const all = `query ($id: ID!) { conversation(id: $id) { messages(first: 9) { edges { node { text meta } } } } }`
    const seen = JSON.stringify(await f.must(token.createGuestToken.token, all, { id: conversation }))
    expect(seen).toContain('I am pia')
    expect(seen).not.toMatch(/supplier|plan/)
    const rows = await f.app.server.database.query('select contact_id, user_id from attachment where file_name = $1', [
      'plan.png',
    ])
    expect(rows).toEqual([{ contact_id: null, user_id: null }])
    // Nor do later mails to the consumer name those of the supplier.
    await f.must(f.agent, 'mutation ($id: ID!) { sendMessage(conversation: $id, message: { text: "Soon" }) { id } }', {
      id: conversation,
    })
    const { email } = await f.sentTo('pia@example.com', 'Boat of pia')
    expect(email.references).not.toContain('supplier.example')
    expect(email.references).not.toContain(sent.email.messageId)
    expect(email.text).not.toContain('See the plan')
  })

  it('of the consumer, who shows the token of the conversation as well, is the consumer’s', async () => {
    const { conversation, sent } = await forwarded('rosa')
    await f.must(f.agent, 'mutation ($id: ID!) { sendMessage(conversation: $id, message: { text: "Hm" }) { id } }', {
      id: conversation,
    })
    const own = (await f.sentTo('rosa@example.com', 'Boat of rosa')).email.replyTo![0]!.address!
    const both = `${sent.email.replyTo![0]!.address}, ${own}`
    const consumer = await f.answer(sent, { from: 'rosa@example.com', to: both, text: 'It is me' })
    expect(await f.shown(consumer.message)).toMatchObject({ role: 'CONTACT', answeredForwardingId: null })
    const outside = await f.answer(sent, { from: SUPPLIER, to: both, text: 'It is not' })
    expect(await f.shown(outside.message)).toMatchObject({ role: 'SYSTEM', conversationId: conversation })
  })

  it('of a machine makes no message, and one in a closed conversation reopens nothing', async () => {
    const { conversation, sent } = await forwarded('sven')
    const auto = await f.answer(sent, { headers: { 'Auto-Submitted': 'auto-replied' }, text: 'I am away' })
    expect(auto).toMatchObject({ ignored: expect.stringContaining('Auto-Submitted') })
    await f.must(f.agent, 'mutation ($id: ID!) { sendMessage(conversation: $id, message: { text: "Bye" }) { id } }', {
      id: conversation,
    })
    await f.must(f.agent, 'mutation ($id: ID!) { leaveConversation(conversation: $id) { id } }', { id: conversation })
    const late = await f.answer(sent, { text: 'After hours' })
    expect(late).toMatchObject({ conversation })
    expect(await stateOf(conversation)).toMatchObject({ status: 'closed', awaiting_reply: false })
  })

  it('of a blocked contact is kept, and follows a merge', async () => {
    const { conversation, contact, message, sent } = await forwarded('tara')
    await f.must(f.agent, 'mutation ($id: ID!) { blockContact(conversation: $id) { id } }', { id: conversation })
    expect(await f.answer(sent, { text: 'Of a blocked one' })).toMatchObject({ conversation })
    expect(contact).not.toBeNull()
    const target = await f.begin('ulla')
    await f.must(f.admin, 'mutation ($t: ID!, $o: ID!) { importConversation(conversation: $t, origin: $o) { id } }', {
      t: target.conversation,
      o: conversation,
    })
    const answered = await f.answer(sent, { text: 'After the merge' })
    expect(answered).toMatchObject({ conversation: target.conversation })
    const note = (await f.messagesOf(target.conversation)).find(({ forwarding }) => forwarding !== null)!
    expect(note.deliveries[0]).toMatchObject({ status: 'SENT', recipient: SUPPLIER })
    expect((await f.shown(answered.message)).answeredForwardingId).toBe(note.id)
    // The message that was merged is forwarded where it is now.
    expect((await f.forward(message, [SUPPLIER])).conversationId).toBe(target.conversation)
  })

  it('finds its note, which is not deleted while an answer may come, also after a merge', async () => {
    const { message, conversation, sent } = await forwarded('ursa')
    const noteOf = async (id: string) => (await f.messagesOf(id)).find(({ forwarding }) => forwarding !== null)!
    const remove = (id: string) => f.app.gql(f.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id })
    const refused = [{ extensions: { code: 'UNPROCESSABLE', reason: 'FORWARDED' } }]
    expect((await remove((await noteOf(conversation)).id)).errors).toMatchObject(refused)
    // The message may go: those outside have read it.
    expect((await remove(message)).errors).toBeUndefined()
    const target = await f.begin('udo')
    await f.must(f.admin, 'mutation ($t: ID!, $o: ID!) { importConversation(conversation: $t, origin: $o) { id } }', {
      t: target.conversation,
      o: conversation,
    })
    expect((await remove((await noteOf(target.conversation)).id)).errors).toMatchObject(refused)
    expect(await f.answer(sent, { text: 'Late' })).toMatchObject({ conversation: target.conversation })
    // One that reached nobody may be deleted.
    f.box.next('rcpt', '550 5.1.1 no such user')
    const other = await f.begin('ute')
    const note = await f.forward(other.message, ['gone@supplier.example'])
    await f.becomes(note.id, 'FAILED')
    expect((await remove(note.id)).errors).toBeUndefined()
  })

  it('to a conversation that is gone makes nothing', async () => {
    const { conversation, sent } = await forwarded('vera')
    await f.must(f.admin, 'mutation ($id: ID!) { deleteConversation(id: $id) }', { id: conversation })
    const known = await contacts()
    for (const to of [sent.email.replyTo![0]!.address!, SUPPORT])
      expect(await f.answer(sent, { to, text: `To ${to}` })).toMatchObject({ ignored: expect.stringContaining('gone') })
    expect(await contacts()).toBe(known)
  })
})

describe('the delivery of a forwarded message', () => {
  it('fails and is retried as others, to the same addresses, and by mail alone', async () => {
    const { message, conversation } = await f.begin('wim')
    f.box.next('rcpt', '550 5.1.1 no such user')
    const note = await f.forward(message, ['gone@supplier.example'])
    expect((await f.becomes(note.id, 'FAILED')).deliveries[0]).toMatchObject({ code: null })
    expect(
      await f.app.server.database.query('select undelivered from conversation where id = $1', [conversation]),
    ).toEqual([{ undelivered: 1 }])
    const delivery = (await f.shown(note.id)).deliveries[0]!.id
    const { errors } = await f.app.gql(
      f.agent,
      'mutation ($id: ID!) { resendMessage(message: $id, touchpoint: WEB) { id } }',
      { id: note.id },
    )
    expect(errors?.[0]?.extensions).toMatchObject({ reason: 'TOUCHPOINT_UNAVAILABLE' })
    await f.must(f.agent, 'mutation ($id: ID!) { retryDelivery(id: $id) { status } }', { id: delivery })
    expect((await f.becomes(note.id, 'SENT')).deliveries[0]).toMatchObject({ recipient: 'gone@supplier.example' })
  })

  it('after a merge sends what the message says there', async () => {
    const { message, conversation } = await f.begin('wout', {
      subject: 'Card of wout',
      text: 'My card is 4111 1111 1111 1111',
    })
    f.box.next('rcpt', '550 5.1.1 no such user')
    await f.becomes((await f.forward(message, ['late@supplier.example'])).id, 'FAILED')
    const target = await f.begin('xena')
    await f.must(f.admin, 'mutation ($t: ID!, $o: ID!) { importConversation(conversation: $t, origin: $o) { id } }', {
      t: target.conversation,
      o: conversation,
    })
    const messages = await f.messagesOf(target.conversation)
    const copy = messages.find(({ text }) => text?.includes('4111'))!
    await f.must(f.admin, 'mutation ($id: ID!) { updateMessage(id: $id, patch: { text: "My card" }) { id } }', {
      id: copy.id,
    })
    const [delivery] = messages.find(({ forwarding }) => forwarding !== null)!.deliveries
    await f.must(f.agent, 'mutation ($id: ID!) { retryDelivery(id: $id) { status } }', { id: delivery!.id })
    const { email } = await f.sentTo('late@supplier.example', 'Card of wout')
    expect(email.text).toContain('My card')
    expect(email.text).not.toContain('4111')
  })

  it('that comes back is marked, and blocks neither the address nor the consumer', async () => {
    const { message } = await f.begin('xaver', { subject: 'Boat of xaver' })
    const note = await f.forward(message, [SUPPLIER, 'tom@supplier.example'])
    const { email, from } = await f.sentTo(SUPPLIER, 'Boat of xaver')
    await f.becomes(note.id, 'SENT')
    const bounced = (recipient: string) =>
      f.post(bounceMail({ to: from, original: email.messageId!, recipient }).replace('bounce-1', `bounce-${recipient}`))
    await bounced('tom@supplier.example')
    expect((await f.shown(note.id)).deliveries[0]).toMatchObject({
      status: 'SENT',
      copies: [{ address: 'tom@supplier.example', status: 'FAILED' }],
    })
    await bounced(SUPPLIER)
    expect((await f.becomes(note.id, 'FAILED')).deliveries[0]).toMatchObject({ code: null })
    expect(
      await f.app.server.database.query('select address from contact_handle where blocked_at is not null'),
    ).toEqual([])
  })

  it('of a message that was deleted meanwhile fails, and says so', async () => {
    const { message } = await f.begin('yara')
    for (let each = 0; each < 3; each += 1) f.box.next('rcpt', '451 4.3.0 later')
    const note = await f.forward(message, [SUPPLIER])
    const failed = async () => (await f.shown(note.id)).deliveries[0]
    await until(failed, (delivery) => delivery?.reason != null)
    await f.must(f.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: message })
    await f.app.server.database.query(`update job set run_at = now() where kind = 'touchpoint.deliver'`)
    await f.app.server.database.query('update job_partition set due_at = now()')
    expect((await f.becomes(note.id, 'FAILED')).deliveries[0]!.reason).toContain('deleted')
  })
})
