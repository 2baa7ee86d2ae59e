import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import {
  must,
  startConversationFixture,
  until,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import { streamsOf } from '../conversations/streams-fixture.js'
import { governing } from '../bots/governed-bot.js'
import type { MadeUser } from '../support/factories.js'
import { SMS_MEDIA } from '../../src/modules/touchpoints/sms/sms-routes.js'
import { addJobs } from '../../src/platform/jobs/job.js'
import { uploadWords } from '../support/upload-image.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'
import { erasureDone } from './erasure-done.js'
import { filesWith } from './files-with.js'
import { tablesWith } from './tables-with.js'

const store = mkdtempSync(join(tmpdir(), 'every-door-'))

let fixture: ConversationFixture
let hooks: Hooks
let outside: pg.Client
beforeAll(async () => {
  fixture = await startConversationFixture({ DATA_DIR: store, WEBHOOK_ALLOW_PRIVATE: 'true' })
  hooks = createHooks(fixture)
  outside = new pg.Client({ connectionString: fixture.databaseUrl })
  await outside.connect()
})
afterAll(async () => {
  await outside?.end()
  await hooks?.close()
  await fixture?.close()
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query(text, values)
const ask = <T>(as: MadeUser | string | null, query: string, variables: Record<string, unknown>): Promise<T> =>
  must(fixture.run<T>(as, query, variables))

const upload = (as: MadeUser | string, words: string): Promise<string> => uploadWords(fixture, as, words)

/** Tables with a row that contains the word, and files that have it. */
const placesOf = async (word: string): Promise<string[]> => [
  ...(await tablesWith(fixture.server.database, word)),
  ...(await filesWith(store, [word])),
]

const ERASE = 'mutation ($id: ID!) { eraseContact(id: $id, reason: REQUESTED) { id } }'
const erase = (id: string): Promise<{ id: string }> => ask(fixture.admin, ERASE, { id })

const isGone = (word: string): Promise<string[]> =>
  until(
    () => placesOf(word),
    (found) => found.length === 0,
  )

describe('an erasure while conversations are open', () => {
  it('leaves nothing of what came in by any door of the staff and of bots', async () => {
    const { admin, ann, ben, bot } = fixture
    const word = 'zqdoor'
    const by = governing(fixture)
    const hook = await hooks.register(admin)
    hook.receiver.answer = ({ body }) => ({ status: 200, body: JSON.stringify({ echo: body }) })
    await hooks.register(admin, {}, (receiver) => {
      receiver.answer = ({ body, method }: { body: string; method?: string }) =>
        ({ status: method === 'GET' ? 200 : 500, body }) as never
    })
    await fixture.rest(admin, 'POST', '/v2/services', { type: 'events', params: {} })
    const form = await ask<{ id: string }>(
      admin,
      'mutation ($input: CreateFormInput!) { createForm(input: $input) { id } }',
      { input: { name: 'Order', fields: [{ key: 'city', label: 'City', type: 'text' }] } },
    )
    await by.setCategories('Billing')
    const made = await fixture.tryCreate(
      {
        contact: { profile: { name: `Olga ${word}`, email: `${word}@example.com` }, meta: { vip: word } },
        name: `about ${word}`,
        meta: { order: word },
        messages: [{ role: 'CONTACT', text: `hello ${word}`, meta: { nested: [{ deep: word }] } }],
      },
      bot,
      `key-${crypto.randomUUID()}`,
    )
    expect(made.code).toBeUndefined()
    const { id, contactId } = made.value
    const another = async (text: string): Promise<string> => {
      const made = await fixture.create({ contact: { id: contactId }, messages: [{ role: 'CONTACT', text }] })
      // The card that suggests a merge would be news for what a bot proposes.
      await until(
        () => sql(`select 1 from job where kind in ('merge.suggest', 'contact.matched', 'contact.said')`),
        (jobs) => jobs.length === 0,
      )
      return made.id
    }

    // Staff.
    const note = await ask<{ id: string }>(
      ann,
      'mutation ($id: ID!, $text: String!) { addContactNote(contact: $id, text: $text) { id } }',
      { id: contactId, text: `a note of ${word}` },
    )
    await ask(
      ann,
      'mutation ($id: ID!, $text: String!) { updateContactNote(id: $id, patch: { text: $text }) { id } }',
      {
        id: note.id,
        text: `a changed note of ${word}`,
      },
    )
    await ask(
      admin,
      'mutation ($id: ID!, $patch: UpdateContactInput!) { updateContact(id: $id, patch: $patch) { id } }',
      { id: contactId, patch: { profile: { name: `Olga Maria ${word}`, email: `${word}@example.com` } } },
    )
    await ask(ben, 'mutation ($id: ID!) { saveDraft(conversation: $id, text: "my draft of zqdoor") { text } }', { id })
    await must(fixture.command(ann, id, `/set @name Talk of ${word}`))
    await must(fixture.command(ann, id, `/set remark ${word}`))
    await must(fixture.command(ann, id, '/set @category Billing'))
    await must(fixture.send(ann, id, { type: 'FORM', role: 'AGENT', meta: { form: form.id } }))
    await must(
      fixture.send(bot, id, { type: 'FIELD', role: 'CONTACT', text: `.city ${word}`, meta: { form: form.id } }),
    )
    await must(fixture.command(ann, id, '/send'))
    await must(fixture.send(ann, id, { type: 'MENTION', text: `look, ${word}`, meta: { targetUser: ben.id } }))
    const steps = [{ kind: 'REPLY', text: 'dear {{givenName}}' }]
    const macro = await ask<{ id: string }>(
      ann,
      'mutation ($input: CreateMacroInput!) { createMacro(input: $input) { id } }',
      { input: { name: 'greet', steps } },
    )
    await ask(
      ann,
      'mutation ($macro: ID!, $on: [ID!]!, $id: ID!) { runMacro(macro: $macro, conversations: $on, id: $id) { refusal { reason } } }',
      { macro: macro.id, on: [id], id: fixture.clock.newId() },
    )
    await ask(
      ann,
      'mutation ($on: [ID!], $id: ID!) { bulk(act: { step: { kind: NOTE, text: "to all of zqdoor" } }, id: $id, conversations: $on) { id } }',
      {
        on: [id],
        id: fixture.clock.newId(),
      },
    )
    await until(async () => (await by.textsOf(id)).includes('to all of zqdoor'))
    const edited = await must(fixture.send(ann, id, { role: 'AGENT', text: `a typo for ${word}` }))
    await ask(admin, 'mutation ($id: ID!) { updateMessage(id: $id, patch: { text: "edited for zqdoor" }) { id } }', {
      id: edited.id,
    })

    // Files of messages that were sent, that wait, and that bots would send.
    const meta = async (name: string): Promise<object> => ({ fileId: await upload(ann, `${word}-${name}`) })
    await must(fixture.send(ann, id, { role: 'AGENT', text: 'see', meta: await meta('sent') }))
    await must(
      fixture.send(ann, id, { role: 'AGENT', text: `later ${word}`, delay: 3_600_000, meta: await meta('later') }),
    )
    await must(fixture.command(ann, id, '/set odd thing', { meta: { fileId: `no id of ${word}` } }))
    const propose = async (as: MadeUser, on: string, message: object): Promise<{ id: string; hash: string }> =>
      ask(
        as,
        'mutation ($id: ID!, $message: MessageInput!) { propose(conversation: $id, message: $message) { id hash } }',
        {
          id: on,
          message: { role: 'AGENT', mark: await by.markOf(on), ...message },
        },
      )
    const fileBot = { fileId: await upload(bot, `${word}-proposed`) }
    await propose(bot, id, { text: `I propose ${word}`, meta: fileBot })
    await propose(bot, id, { type: 'COMMAND', role: 'BOT', text: `/set @name ${word}` })
    const decided = await another(`decided ${word}`)
    const { id: proposal, hash } = await propose(bot, decided, { text: `approved ${word}` })
    await ask(ann, 'mutation ($id: ID!, $hash: String!) { approveProposal(proposal: $id, hash: $hash) { id } }', {
      id: proposal,
      hash,
    })
    const rejected = await propose(bot, decided, { text: `rejected ${word}` })
    await ask(ann, 'mutation ($id: ID!) { rejectProposal(proposal: $id) { id } }', { id: rejected.id })
    const streamed = await another(`streamed ${word}`)
    const streams = streamsOf(fixture)
    const stream = await must(streams.begin(bot, streamed, { meta: { fileId: await upload(bot, `${word}-streamed`) } }))
    await must(streams.append(bot, stream.id, 0, `dear ${word}`))
    const handed = await another(`handed ${word}`)
    await must(fixture.command(ann, handed, '/accept'))
    await ask(
      ann,
      'mutation ($id: ID!, $channel: ID!) { handOverConversation(conversation: $id, channel: $channel, note: "summary of zqdoor") { id } }',
      { id: handed, channel: fixture.channel },
    )

    // The consumer.
    const { token } = await ask<{ token: string }>(
      admin,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id },
    )
    const own = await upload(token, `${word}-own`)
    await must(
      fixture.send(
        token,
        id,
        { text: `mine ${word}`, meta: { fileId: own, title: `page ${word}`, url: `https://x.example/${word}` } },
        'guest-key',
      ),
    )
    await upload(token, `${word}-unsent`)
    await ask(token, 'mutation ($profile: GuestProfileInput!) { identifyGuest(profile: $profile) }', {
      profile: { name: `O. ${word}`, telephone: '+31612345699' },
    })
    await until(async () => hook.receiver.received.some(({ body }) => body.includes(`handed ${word}`)))

    expect((await placesOf(word)).length).toBeGreaterThan(15)
    const begun = await erase(contactId)
    await erasureDone(fixture, begun.id)
    await until(
      async () => (await sql(`select 1 from job where kind in ('attachment.remove', 'contact.fill')`)).length === 0,
    )
    expect(await isGone(word)).toEqual([])
    expect(await placesOf('31612345699')).toEqual([])
  })
})

describe('an address of a contact that is being erased', () => {
  it('is not given back to it by what somebody fills in, and so stays free for another', async () => {
    const email = 'zqfreed@example.com'
    const { id: held, contactId } = await fixture.create({ contact: { profile: { name: 'Zqfreed', email } } })
    const { id: open } = await fixture.create({
      contact: { id: contactId },
      messages: [{ role: 'CONTACT', text: 'hi' }],
    })
    await outside.query('begin')
    await outside.query('select from conversation where id = $1 for no key update', [held])
    const { id: erasure } = await erase(contactId)
    const field = { type: 'FIELD', role: 'BOT', text: `.email ${email}`, meta: { key: 'email' } }
    await must(fixture.send(fixture.ann, open, field))
    await until(
      () => sql(`select 1 from job where kind = 'contact.fill'`),
      (jobs) => jobs.length === 0,
    )
    expect(await sql('select profile from contact where id = $1', [contactId])).toEqual([{ profile: {} }])
    const again = await fixture.create({ contact: { profile: { name: 'Zqfreed', email } } })
    expect(again.contactId).not.toBe(contactId)
    await outside.query('commit')
    await erasureDone(fixture, erasure)
    expect((await fixture.show(again.id)).id).toBe(again.id)
  })
})

describe('what waits of an address', () => {
  it('that is used again by another since the erasure was demanded is kept', async () => {
    const telephone = '+31687650077'
    const service = await ask<{ id: string }>(
      fixture.admin,
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      {
        input: {
          type: 'sms',
          params: { accountSid: 'AC' + '0'.repeat(32), authToken: 'x'.repeat(32), from: '+3197010253' },
        },
      },
    )
    const { contactId } = await fixture.create({ contact: { profile: { name: 'Old', telephone } } })
    const runAt = new Date(fixture.clock.now().getTime() + 48 * 3_600_000)
    const wait = (body: string): Promise<void> =>
      addJobs(
        fixture.server.database,
        [
          SMS_MEDIA.create(
            {
              service: service.id,
              addresses: [telephone],
              text: { sid: body, from: telephone, body, media: [], optOut: null },
            },
            { runAt },
          ),
        ],
        fixture.clock,
      )
    await wait('zqbefore')
    fixture.clock.advance(1)
    const { id } = await erase(contactId)
    fixture.clock.advance(1)
    await wait('zqafter')
    await erasureDone(fixture, id)
    await isGone('zqbefore')
    expect(await placesOf('zqafter')).toEqual(['job'])
  })
})
