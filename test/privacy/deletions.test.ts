import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  newContact,
  startConversationFixture,
  until,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import { imageForm } from '../support/upload-image.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'
import type { Received } from '../webhooks/receiver.js'
import { tablesWith } from './tables-with.js'

let fixture: ConversationFixture
let hooks: Hooks
beforeAll(async () => {
  fixture = await startConversationFixture({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  hooks = createHooks(fixture)
  // Its decisions keep what they were made from.
  const conditions = { all: [{ fact: 'message', path: '.text', operator: 'match', value: 'canary' }] }
  await fixture.makeWorkflow([
    { conditions, event: { type: 'notify', params: { name: 'all', channels: [fixture.channel] } } },
  ])
})
afterAll(async () => {
  await hooks?.close()
  await fixture?.close()
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query(text, values)

const placesOf = (word: string): Promise<string[]> => tablesWith(fixture.server.database, word)

/** Waits for the first look of all erasures. The second is due later than that, which only the clock of the test makes it. */
const lookedOnce = async (): Promise<void> => {
  await until(
    () =>
      sql(`select 1 from job where kind in ('message.deleted', 'conversation.deleted', 'privacy.erase')
        and not payload ? 'isAgain' and coalesce(key, '') not like '%:again'`),
    (jobs) => jobs.length === 0,
  )
}

const erased = async (word: string): Promise<void> => {
  await lookedOnce()
  fixture.clock.advance(130_000)
  await until(
    () => placesOf(word),
    (found) => found.length === 0,
  )
}

describe('the content of a deleted conversation or message', () => {
  it('is erased everywhere once its message is deleted, and the rest of the conversation stays', async () => {
    const hook = await hooks.register(fixture.admin)
    const contact = newContact()
    const created = await fixture.tryCreate(
      { contact, messages: [{ role: 'CONTACT', text: 'first' }] },
      fixture.bot,
      'd1',
    )
    const { id } = created.value
    const said = await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'the canary "4111 1111"' }, 'd2')
    const updated = await fixture.run(
      fixture.admin,
      'mutation ($id: ID!, $text: String!) { updateMessage(id: $id, patch: { text: $text }) { id } }',
      { id: said.value.id, text: 'the other canary' },
    )
    expect(updated.code).toBeUndefined()
    await fixture.command(fixture.bot, id, '/notify')
    await hook.receiver.next(({ json }) => json.event === 'message.update')
    expect((await placesOf('canary')).toSorted()).toEqual(
      expect.arrayContaining(['conversation', 'event', 'idempotency_key', 'message', 'webhook_event']),
    )
    const before = await sql('select stream, number, type from event order by stream, number')
    const { code } = await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', {
      id: said.value.id,
    })
    expect(code).toBeUndefined()
    await hook.receiver.next(({ json }) => json.event === 'message.delete')
    // The rule's own words are another.
    await erased('the canary')
    await erased('other canary')
    // Streams have no hole.
    const after = await sql('select stream, number, type from event order by stream, number')
    expect(after).toEqual(expect.arrayContaining(before))
    expect((await fixture.show(id)).messages.edges.map(({ node }) => node.text)).toContain('first')
    // The key stays taken: the message is not made anew.
    const again = await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'the canary "4111 1111"' }, 'd2')
    expect(again).toMatchObject({ code: 'UNPROCESSABLE', details: { reason: 'ANSWER_ERASED' } })
    // Its contact is still there.
    expect(again.message).toMatch(/was erased: a contact, conversation or message in it has been deleted$/)
  })

  it('stays in the queue if another message has the same text', async () => {
    const created = await fixture.tryCreate({
      contact: newContact(),
      messages: [
        { role: 'CONTACT', text: 'yes' },
        { role: 'CONTACT', text: 'yes' },
      ],
    })
    const { id } = created.value
    await fixture.command(fixture.bot, id, '/notify', { meta: { channels: [fixture.channel] } })
    const [first] = (await fixture.show(id)).messages.edges
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: first!.node.id })
    await until(
      () =>
        sql(
          `select 1 from job where kind = 'message.deleted' and payload ->> 'deleted' = $1 and not payload ? 'isAgain'`,
          [first!.node.id],
        ),
      (jobs) => jobs.length === 0,
    )
    const [newest] = await sql<{ preview: string }>(
      `select data #>> '{entry,preview}' as preview from event
       where data #>> '{entry,conversation}' = $1 order by at desc, number desc limit 1`,
      [id],
    )
    expect(newest).toEqual({ preview: 'yes' })
  })

  it('stays in the stored responses of others who sent the same text', async () => {
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'first' }] })
    const { id: elsewhere } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'first' }] })
    const say = (conversation: string, key: string) =>
      fixture.send(fixture.bot, conversation, { role: 'CONTACT', text: 'the same pelican' }, key)
    const sent = [await say(id, 'same 1'), await say(id, 'same 2'), await say(elsewhere, 'same 3')]
    expect(sent.map(({ code }) => code)).toEqual([undefined, undefined, undefined])
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: sent[0]!.value.id })
    await lookedOnce()
    expect(await say(id, 'same 1')).toMatchObject({ code: 'UNPROCESSABLE' })
    expect(await say(id, 'same 2')).toEqual(sent[1])
    expect(await say(elsewhere, 'same 3')).toEqual(sent[2])
  })

  it('leaves no copy of the page that it was sent from, unless another message names the same', async () => {
    const hook = await hooks.register(fixture.admin)
    const page = (name: string): object => ({ title: `Page ${name}`, url: `https://shop.example/reset?token=${name}` })
    const created = await fixture.tryCreate(
      { contact: newContact(), messages: [{ role: 'CONTACT', text: 'first', meta: page('pelican') }] },
      fixture.bot,
      'd5',
    )
    const { id } = created.value
    const say = (name: string) =>
      fixture.send(fixture.bot, id, { role: 'CONTACT', text: `on ${name}`, meta: page(name) }, `d5 ${name}`)
    const flamingo = await say('flamingo')
    const second = await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'again', meta: page('flamingo') })
    expect([flamingo.code, second.code]).toEqual([undefined, undefined])
    await hook.receiver.next(({ body }) => body.includes('flamingo'))
    const remove = async (message: string): Promise<void> => {
      const mutation = 'mutation ($id: ID!) { deleteMessage(id: $id) }'
      expect((await fixture.run(fixture.admin, mutation, { id: message })).code).toBeUndefined()
    }
    await remove(flamingo.value.id)
    expect((await fixture.show(id)).meta).toMatchObject({ _url: 'https://shop.example/reset?token=flamingo' })
    await remove(second.value.id)
    const { meta, messages } = await fixture.show(id)
    expect(meta).toMatchObject({ _title: 'Page pelican', _url: 'https://shop.example/reset?token=pelican' })
    expect(messages.edges.filter(({ node }) => node.role === 'SYSTEM')).toHaveLength(1)
    await erased('token=flamingo')
    await erased('Page flamingo')
    expect(await placesOf('token=pelican')).toEqual(expect.arrayContaining(['conversation', 'event', 'message']))
    // What a message no longer says is taken back as well.
    const first = messages.edges[0]!.node
    const updated = await fixture.run(
      fixture.admin,
      'mutation ($id: ID!) { updateMessage(id: $id, patch: { meta: {} }) { id } }',
      { id: first.id },
    )
    expect(updated.code).toBeUndefined()
    expect((await fixture.show(id)).meta).toEqual({})
    await remove(first.id)
    await erased('token=pelican')
  })

  it('is not in the facts of another conversation either, once the contact of the copies is deleted', async () => {
    const { id: target } = await fixture.inStatus('CLOSED')
    const origin = await fixture.create({ messages: [{ role: 'CONTACT', text: 'canary of a heron' }] })
    const merge = 'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }'
    expect((await fixture.run(fixture.ann, merge, { id: target, origin: origin.id })).code).toBeUndefined()
    const factsOf = (id: string) =>
      sql<{ facts: object | null }>('select facts from routing_decision where conversation_id = $1', [id])
    expect(JSON.stringify(await factsOf(target))).toContain('heron')
    const remove = 'mutation ($id: ID!) { deleteContact(id: $id) }'
    expect((await fixture.run(fixture.admin, remove, { id: origin.contactId })).code).toBeUndefined()
    await erased('canary of a heron')
    expect(JSON.stringify(await factsOf(target))).not.toContain('heron')
  })

  it('is not stored by a webhook attempt that its receiver answers after the erasure', async () => {
    const cases = [
      { of: 'message', word: 'ostrich beside the late answer', status: 200 },
      { of: 'conversation', word: 'toucan beside the late answer', status: 500 },
      { of: 'contact', word: 'penguin beside the late answer', status: 200 },
    ] as const
    for (const { of, word, status } of cases) {
      const late = Promise.withResolvers<void>()
      const { id, contactId } = await fixture.inStatus('CLOSED')
      const hook = await hooks.register(fixture.admin, { events: ['message.create.*'] })
      hook.receiver.answer = ({ body }) =>
        body.includes(word) ? { status, body: JSON.stringify({ echo: body }), after: late.promise } : {}
      const said = await fixture.send(fixture.bot, id, { role: 'CONTACT', text: `a late ${word}` })
      // A contact with a waiting conversation is not deleted.
      await sql(`update conversation set status = 'closed' where id = $1`, [id])
      await hook.receiver.next(({ body }) => body.includes(word))
      const gone = { message: said.value.id as string, conversation: id, contact: contactId }[of]
      const name = { message: 'deleteMessage', conversation: 'deleteConversation', contact: 'deleteContact' }[of]
      const { code } = await fixture.run(fixture.admin, `mutation ($id: ID!) { ${name}(id: $id) }`, { id: gone })
      expect(code).toBeUndefined()
      await lookedOnce()
      late.resolve()
      // Waits for the record of the attempt, not for the second look. One that was waited for too long has no status.
      await until(
        () =>
          sql(
            `select 1 from webhook_delivery d where d.service_id = $1
             and (d.status_code = $2 or d.error = 'no answer within 20 s')`,
            [hook.id, status],
          ),
        (rows) => rows.length > 0,
      )
      expect(await placesOf(word)).toEqual([])
    }
  })

  // [2.12]
  it('is not delivered again by webhooks, and whatever else an event told is', async () => {
    const hook = await hooks.register(fixture.admin)
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'first' }] })
    const word = 'a cormorant'
    const meta = { title: `Page of ${word}`, url: 'https://shop.example/birds' }
    const said = await fixture.send(fixture.bot, id, { role: 'CONTACT', text: word, meta })
    const message = said.value.id as string
    const set = 'mutation ($id: ID!) { setConversation(conversation: $id, patch: { name: "Birds" }) { id } }'
    expect((await fixture.run(fixture.bot, set, { id })).code).toBeUndefined()
    // Before it is deleted: what is told later is told without it.
    await hook.receiver.next(({ json, body }) => json.event === 'message.create.contact.chat' && body.includes(word))
    await hook.receiver.next(
      ({ json }) => json.event === 'conversation.update' && json.data.conversation.name === 'Birds',
    )
    const remove = 'mutation ($id: ID!) { deleteMessage(id: $id) }'
    expect((await fixture.run(fixture.admin, remove, { id: message })).code).toBeUndefined()
    const isEnd = ({ json }: Received): boolean => json.event === 'message.delete' && json.data.message.id === message
    await hook.receiver.next(isEnd)
    const before = hook.receiver.received.filter(({ json }) => json.data.conversation?.id === id)
    const told = before.filter(({ body }) => body.includes(word)).map(({ json }) => json.event as string)
    expect(told).toEqual(expect.arrayContaining(['message.create.contact.chat', 'conversation.update']))
    await erased(word)
    const deliveries = await hooks.deliveries(fixture.admin, hook.id)
    for (const { body, json: whole } of before) {
      const { id: delivery } = deliveries.find(({ eventId }) => eventId === whole.id)!
      const again = 'mutation ($delivery: ID!) { redeliverWebhook(delivery: $delivery) }'
      expect((await fixture.run(fixture.admin, again, { delivery })).code).toBeUndefined()
      const second = await hook.receiver.next(({ json }) => json.id === whole.id)
      if (whole.data.message?.id !== message && !body.includes(word)) {
        expect(second.body).toBe(body)
        continue
      }
      expect(second.body).not.toContain(word)
      expect(Object.keys(second.json.data)).toEqual(Object.keys(whole.data))
      const rest = { meta: expect.anything(), messages: expect.anything() }
      expect(second.json.data.conversation).toEqual({ ...whole.data.conversation, ...rest })
      for (const key of ['contact', 'user', 'organization']) expect(second.json.data[key]).toEqual(whole.data[key])
    }
  })

  it('is erased everywhere once its conversation is deleted; its contact stays', async () => {
    const hook = await hooks.register(fixture.admin)
    const created = await fixture.tryCreate(
      { contact: newContact('Remains'), messages: [{ role: 'CONTACT', text: 'a zebra and a canary' }] },
      fixture.bot,
      'd3',
    )
    const { id, contactId } = created.value
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'another zebra' }, 'd4')
    await hook.receiver.next(({ body }) => body.includes('another zebra'))
    expect((await placesOf('zebra')).length).toBeGreaterThan(3)
    const { code } = await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteConversation(id: $id) }', { id })
    expect(code).toBeUndefined()
    await hook.receiver.next(({ json }) => json.event === 'conversation.delete')
    await erased('zebra')
    expect(await sql('select 1 from contact where id = $1', [contactId])).toHaveLength(1)
  })
})

describe('the name of a deleted attachment', () => {
  it('is erased everywhere, with its links', async () => {
    const hook = await hooks.register(fixture.admin)
    const { id: conversation, contactId } = await fixture.inStatus('CLOSED')
    const guest = await fixture.run<{ token: string }>(
      fixture.admin,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id: conversation },
    )
    const response = await fetch(`${fixture.url}/v2/attachments`, {
      method: 'POST',
      body: imageForm('zq-osprey.png'),
      headers: { authorization: `Bearer ${guest.value.token}`, 'idempotency-key': 'osprey' },
    })
    const { id } = (await response.json()) as { id: string }
    const rename =
      'mutation ($id: ID!, $patch: UpdateAttachmentInput!) { updateAttachment(id: $id, patch: $patch) { id } }'
    const renamed = await fixture.run(fixture.admin, rename, { id, patch: { fileName: 'zq-osprey two.png' } })
    expect(renamed.code).toBeUndefined()
    await hook.receiver.next(({ body }) => body.includes('zq-osprey two'))
    expect(await placesOf('zq-osprey')).toEqual(
      expect.arrayContaining(['attachment', 'event', 'idempotency_key', 'webhook_event']),
    )
    const remove = 'mutation ($id: ID!) { deleteAttachment(id: $id) }'
    expect((await fixture.run(fixture.admin, remove, { id })).code).toBeUndefined()
    await hook.receiver.next(({ json }) => json.event === 'attachment.delete' && json.data.attachment.id === id)
    await until(
      () => placesOf('zq-osprey'),
      (found) => found.length === 0,
    )
    // Also what was under way at the time.
    fixture.clock.advance(130_000)
    await until(
      () => sql(`select 1 from job where kind = 'attachment.deleted'`),
      (jobs) => jobs.length === 0,
    )
    expect(await sql('select 1 from contact where id = $1', [contactId])).toHaveLength(1)
  })
})
