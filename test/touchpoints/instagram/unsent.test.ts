import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { until } from '../../support/until.js'
import { ACCOUNT, bodyOf } from './account-api.js'
import { startInstagramFixture, type InstagramFixture } from './instagram-fixture.js'

let fixture: InstagramFixture
beforeAll(async () => {
  fixture = await startInstagramFixture()
})
afterAll(() => fixture.close())

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.app.server.database.query(text, values)
const unsend = (person: string, mid: string) =>
  fixture.tell({ ...fixture.from(person), message: { mid, is_deleted: true } })
/** Texts of a conversation, of archived ones too. */
const textsOf = async (conversation: string): Promise<(string | null)[]> => {
  const rows = await sql<{ text: string | null }>(
    "select text from message where conversation_id = $1 and type = 'chat' order by position",
    [conversation],
  )
  return rows.map(({ text }) => text)
}
const COMMAND =
  'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }'
const merge = (from: string, into: string) =>
  fixture.ask(COMMAND, { id: into, message: { role: 'AGENT', type: 'COMMAND', text: `/import ${from}` } })

describe('a message that its sender changes', () => {
  const edit = (person: string, mid: string, text: string, times: number) =>
    fixture.tell({ ...fixture.from(person), message_edit: { mid, text, num_edit: times } })

  it('says what its last edit says, in whatever order they come, once, and nothing where it is not here', async () => {
    const { begun, mid, processed } = fixture
    const { person, conversation, message, mid: first } = await begun('Where is my zqparcel?')
    await edit(person, first, 'Where is my blue parcel?', 2)
    await edit(person, first, 'Where is my parcel?', 1)
    await edit(person, first, 'Where is my blue parcel?', 2)
    await edit(person, mid(), 'Of nothing', 1)
    await processed()
    expect(await textsOf(conversation)).toEqual(['Where is my blue parcel?'])
    const changed = "select type from event where type = 'message.changed' and data -> 'message' ->> 'id' = $1"
    expect(await sql(changed, [message])).toHaveLength(1)
    await unsend(person, first)
    await edit(person, first, 'Still there?', 3)
    await processed()
    expect(await textsOf(conversation)).toEqual([])
  })
})

describe('a message that its sender takes back', () => {
  it('is deleted, with its event, and nothing of it is left in what the server keeps of it', async () => {
    const { begun, from, mid, processed, tell } = fixture
    const { person, conversation, message, mid: first } = await begun('zqsecret of mine')
    await tell({ ...from(person), message: { mid: mid(), text: 'And another' } })
    await processed()
    await unsend(person, first)
    await processed()
    expect(await textsOf(conversation)).toEqual(['And another'])
    const events = await sql<{ type: string }>("select type from event where data ->> 'id' = $1", [message])
    expect(events.map(({ type }) => type)).toContain('message.deleted')
    const { conversation: found } = await fixture.ask('query ($id: ID!) { conversation(id: $id) { preview } }', {
      id: conversation,
    })
    expect(found.preview).toBe('And another')
    await until(async () => {
      const left = await sql("select 1 from event where data::text like '%zqsecret%'")
      return left.length === 0
    })
    // Told again, and the message itself once more.
    await unsend(person, first)
    await tell({ ...from(person), message: { mid: first, text: 'zqsecret of mine' } })
    await processed()
    expect(await textsOf(conversation)).toEqual(['And another'])
  })

  it('goes with all that was made of it: several pictures, and their files', async () => {
    const { api, from, mid, person: newPerson, processed, saidBy, tell } = fixture
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 5)])
    for (const name of ['a', 'b']) api.files.set(`/cdn/${name}.png`, { type: 'image/png', bytes: png })
    const attachments = ['a', 'b'].map((name) => ({ type: 'image', payload: { url: `${api.url}/cdn/${name}.png` } }))
    const [person, both, one] = [newPerson(), mid(), mid()]
    await tell(
      { ...from(person), message: { mid: both, attachments } },
      { ...from(person), message: { mid: one, attachments: attachments.slice(0, 1) } },
    )
    const [said] = await saidBy(person, 2)
    const files = async () =>
      (
        await sql<{ n: number }>('select count(*)::int as n from attachment where contact_id = $1', [said!.contact_id])
      )[0]
    const messages = () => textsOf(said!.conversation_id)
    expect([await files(), await messages()]).toEqual([{ n: 3 }, [null, null, null]])
    await unsend(person, both)
    await processed()
    expect([await files(), await messages()]).toEqual([{ n: 1 }, [null]])
  })

  it('keeps a file that another message has', async () => {
    const { answer, api, from, mid, person: newPerson, processed, saidBy, tell } = fixture
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 6)])
    api.files.set('/cdn/c.png', { type: 'image/png', bytes: png })
    const [person, its] = [newPerson(), mid()]
    const attachments = [{ type: 'image', payload: { url: `${api.url}/cdn/c.png` } }]
    await tell({ ...from(person), message: { mid: its, attachments } })
    const [said] = await saidBy(person)
    const { fileId } = said!.meta as { fileId: string }
    await answer(said!.conversation_id, { meta: { fileId } }, await fixture.app.tokenFor(fixture.agent))
    await unsend(person, its)
    await processed()
    expect(await textsOf(said!.conversation_id)).toHaveLength(1)
    expect(await sql('select 1 from attachment where id = $1', [fileId])).toHaveLength(1)
  })

  it('goes from the conversation into which it was merged, and from the archived one', async () => {
    const { begun, processed } = fixture
    const [origin, target] = [await begun('Of the origin'), await begun('Of the target')]
    await merge(origin.conversation, target.conversation)
    expect(await textsOf(target.conversation)).toEqual(['Of the origin', 'Of the target'])
    await unsend(origin.person, origin.mid)
    await processed()
    expect(await textsOf(target.conversation)).toEqual(['Of the target'])
    expect(await textsOf(origin.conversation)).toEqual([])
    // Of a message that a merged contact sends next, by the same way.
    await fixture.tell({ ...fixture.from(origin.person), message: { mid: 'after-merge', text: 'After the merge' } })
    await until(async () => (await textsOf(target.conversation)).length === 2)
    await unsend(origin.person, 'after-merge')
    await processed()
    expect(await textsOf(target.conversation)).toEqual(['Of the target'])
  })

  it('goes whatever a merge does at the same moment', async () => {
    const { begun, processed } = fixture
    for (let round = 0; round < 5; round += 1) {
      const [origin, target] = [await begun(`Secret ${round}`), await begun('Of the target')]
      await Promise.all([merge(origin.conversation, target.conversation), unsend(origin.person, origin.mid)])
      await processed()
      await until(async () => (await sql('select 1 from message where text = $1', [`Secret ${round}`])).length === 0)
      expect(await textsOf(target.conversation)).toEqual(['Of the target'])
    }
  })

  it('is gone already where its contact was erased, and no job fails for it', async () => {
    const { begun, processed } = fixture
    const { person, mid } = await begun('Erased')
    const contact = (await fixture.contactOf(person))!
    await fixture.ask('mutation ($id: ID!) { eraseContact(id: $id, reason: REQUESTED) { id } }', { id: contact })
    await until(async () => (await sql('select 1 from contact where id = $1', [contact])).length === 0)
    await unsend(person, mid)
    await processed()
    expect(await fixture.contactOf(person)).toBeUndefined()
    expect(await sql("select 1 from job where kind = 'instagram.event'")).toEqual([])
  })

  it('is not stored if it arrives afterwards, and one that was ignored stays ignored', async () => {
    const { begun, from, mid, processed, saidBy, tell } = fixture
    const { person, conversation } = await begun()
    const early = mid()
    await unsend(person, early)
    await processed()
    await tell({ ...from(person), message: { mid: early, text: 'Too late' } })
    await processed()
    expect(await saidBy(person)).toHaveLength(1)
    await fixture.ask(COMMAND, { id: conversation, message: { role: 'AGENT', type: 'COMMAND', text: '/block' } })
    const ignored = mid()
    await tell({ ...from(person), message: { mid: ignored, text: 'Blocked' } })
    await processed()
    await unsend(person, ignored)
    await processed()
    const rows = await sql<{ ignored: string }>(
      'select ignored from inbound_message where service_id = $1 and provider_id in (erased_name($2), erased_name($3)) order by 1',
      [fixture.service, early, ignored],
    )
    expect(rows.map((row) => row.ignored)).toEqual([
      'its sender took it back before it arrived',
      'the contact is blocked',
    ])
    const names = await sql<{ name: string; count: number }>(
      "select name, count from service_unnamed where service_id = $1 and name like 'an unsend of%'",
      [fixture.service],
    )
    expect(names).toEqual([{ name: 'an unsend of a message that is not here', count: 1 }])
  })

  it('is taken back by a contact who is blocked, too', async () => {
    const { begun, processed } = fixture
    const { person, conversation, mid } = await begun('Before the block')
    await fixture.ask(COMMAND, { id: conversation, message: { role: 'AGENT', type: 'COMMAND', text: '/block' } })
    await unsend(person, mid)
    await processed()
    expect(await textsOf(conversation)).toEqual([])
  })

  it('is kept by a hold, which alone shows it', async () => {
    const { app, begun, processed } = fixture
    const { person, conversation, mid, message } = await begun('Held')
    const hold = { name: 'A case', reason: 'A claim', conversations: [conversation] }
    await fixture.ask('mutation ($input: CreateHoldInput!) { createHold(input: $input) { id } }', { input: hold })
    await unsend(person, mid)
    await processed()
    expect(await textsOf(conversation)).toEqual([])
    const kept = await app.server.database.query('select text from held_message where message_id = $1', [message])
    expect(kept).toEqual([{ text: 'Held' }])
  })

  it('does nothing to a message of another service, whatever its id', async () => {
    const { api, begun, hook, makeService, processed } = fixture
    const { mid, conversation } = await begun('Mine')
    const other = await makeService('instagram', { ...ACCOUNT, accountId: '900', apiUrl: api.url })
    const event = { sender: { id: '5' }, recipient: { id: '900' }, timestamp: 1, message: { mid, is_deleted: true } }
    expect(await api.call(hook('instagram', other).url, bodyOf([event], '900'))).toBe(200)
    await processed()
    expect(await textsOf(conversation)).toEqual(['Mine'])
  })
})
