import { mkdtempSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { LOGGED, rewriteEvents, type LoggedEvent, type Redact } from '../../src/modules/privacy/rewrite-events.js'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'

const MARK = 'zqcanary'
const store = mkdtempSync(join(tmpdir(), 'erasure-races-'))

let fixture: ConversationFixture
let outside: pg.Client
beforeAll(async () => {
  fixture = await startConversationFixture({ DATA_DIR: store })
  outside = new pg.Client({ connectionString: fixture.databaseUrl })
  await outside.connect()
})
afterAll(async () => {
  await outside?.end()
  await fixture?.close()
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query(text, values)
const remove = (id: string) => fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id })

/** Deletes a contact, and does something after the ids of its conversations were read and before these are locked. */
async function removeWhile(contact: string, conversation: string, work: () => Promise<void>) {
  await outside.query('begin')
  await outside.query('select from conversation where id = $1 for no key update', [conversation])
  const removing = remove(contact)
  await until(
    () => sql(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
    (waiting) => waiting.length > 0,
  )
  await work()
  await outside.query('commit')
  return removing
}

/** Waits for both looks of the erasures. */
async function erased(): Promise<void> {
  fixture.clock.advance(130_000)
  await until(
    () => sql(`select 1 from job where kind = 'privacy.erase'`),
    (jobs) => jobs.length === 0,
  )
}

const eventsOf = (conversation: string, type: string) =>
  sql('select 1 from event where stream = $1 and type = $2', [`conversation:${conversation}`, type])
const eventsWith = (word: string) => sql(`select 1 from event where data::text like '%' || $1 || '%'`, [word])

describe('two erasures of one event', () => {
  it('take both what they take, though the second has read what the first has not taken yet', async () => {
    const { id } = await fixture.create({ name: `${MARK}one and ${MARK}two` })
    const read = () =>
      sql<LoggedEvent>(`select ${LOGGED} from event e where e.stream = $1 order by e.number`, [`conversation:${id}`])
    const without =
      (word: string): Redact =>
      ({ data }) =>
        JSON.parse(JSON.stringify(data).replaceAll(word, ''))
    const [first, second] = [await read(), await read()]
    await rewriteEvents(fixture.server.database, first, without(`${MARK}one`))
    await rewriteEvents(fixture.server.database, second, without(`${MARK}two`))
    // One that finds nothing of its own writes nothing.
    await rewriteEvents(fixture.server.database, second, ({ data }) => ({ ...data }))
    const left = JSON.stringify((await read()).map(({ data }) => data))
    expect(left).toContain(' and ')
    expect(left).not.toContain(MARK)
  })
})

describe('a conversation that begins while its contact is deleted', () => {
  it('is deleted and erased like the others', async () => {
    const { id, contactId } = await fixture.inStatus('CLOSED')
    let begun = ''
    const removed = await removeWhile(contactId, id, async () => {
      begun = (await fixture.create({ contact: { id: contactId }, name: `a talk about ${MARK}a` })).id
    })
    expect(removed).toEqual({ value: contactId, details: {} })
    expect(await eventsOf(begun, 'conversation.removed')).toHaveLength(1)
    await erased()
    expect(await eventsWith(`${MARK}a`)).toEqual([])
  })

  it('is not deleted while it waits for an agent, and neither is its contact', async () => {
    const { id, contactId } = await fixture.inStatus('CLOSED')
    let begun = ''
    const removed = await removeWhile(contactId, id, async () => {
      const messages = [{ role: 'CONTACT', text: 'is anybody there?' }]
      begun = (await fixture.create({ contact: { id: contactId }, messages })).id
    })
    expect(removed).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { reason: 'CONVERSATION_STATUS', conversation: begun },
    })
    expect(await sql('select 1 from conversation where id = any($1::uuid[])', [[id, begun]])).toHaveLength(2)
    expect(await eventsOf(id, 'conversation.removed')).toEqual([])
  })
})

describe('an upload that ends after its contact was deleted', () => {
  const filesIn = async (folder: string): Promise<string[]> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  }
  const incoming = join(store, 'attachments', 'incoming')

  it('is refused, and nothing of it is kept', async () => {
    const { id, contactId } = await fixture.inStatus('CLOSED')
    const { value } = await fixture.run<{ token: string }>(
      fixture.admin,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id },
    )
    const status = Promise.withResolvers<number>()
    const upload = request(`${fixture.url}/v2/attachments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${value.token}`, 'content-type': 'multipart/form-data; boundary=zq' },
    })
    upload.on('error', status.reject)
    upload.on('response', (response) => {
      response.resume()
      status.resolve(response.statusCode!)
    })
    const head = `--zq\r\ncontent-disposition: form-data; name="file"; filename="${MARK}b.png"\r\ncontent-type: image/png\r\n\r\n`
    upload.write(head)
    upload.write(Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(100_000, 7)]))
    await until(
      () => filesIn(incoming),
      (files) => files.length > 0,
    )
    expect(await remove(contactId)).toEqual({ value: contactId, details: {} })
    await erased()
    upload.end(`${MARK}c\r\n--zq--\r\n`)
    expect(await status.promise).toBe(401)
    expect(await sql('select 1 from attachment')).toEqual([])
    expect(await eventsWith(`${MARK}b`)).toEqual([])
    expect(await filesIn(join(store, 'attachments'))).toEqual([])
  })
})

describe('a mail that names the contact and waits', () => {
  it('names it no more when it is given back as a draft before the erasure comes to it', async () => {
    const email = `${MARK}d@example.com`
    const { id: own, contactId } = await fixture.create({ contact: { profile: { name: 'Gone', email } } })
    const { id: copied } = await fixture.create()
    const merge = 'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }'
    await fixture.send(fixture.ann, own, { role: 'AGENT', text: 'hello and bye' })
    await fixture.command(fixture.ann, own, '/leave')
    expect((await fixture.run(fixture.ann, merge, { id: copied, origin: own })).code).toBeUndefined()
    const { id: theirs } = await fixture.inStatus('ACTIVE')
    const { value } = await fixture.run<{ mark: string }>(
      fixture.ann,
      'query ($id: ID!) { conversation(id: $id) { mark } }',
      { id: theirs },
    )
    const mail = { to: ['otto@example.com'], cc: [email] }
    const later = { role: 'AGENT', text: 'to you both', mail, mark: value.mark, delay: 5_000 }
    // It is not due before there is news.
    fixture.clock.standAt()
    try {
      expect((await fixture.send(fixture.ann, theirs, later)).code).toBeUndefined()
      await fixture.send(fixture.bot, theirs, { role: 'CONTACT', text: 'news' })
    } finally {
      fixture.clock.goOn()
    }
    const drafts = () =>
      sql<{ mail: { to: string; cc: string } }>('select mail from conversation_draft where conversation_id = $1', [
        theirs,
      ])
    // The erasure waits for the conversation with the copies before it takes the address out of mails.
    await outside.query('begin')
    await outside.query('select from conversation where id = $1 for no key update', [copied])
    expect(await remove(contactId)).toEqual({ value: contactId, details: {} })
    fixture.clock.advance(6_000)
    const [draft] = await until(drafts, (rows) => rows.length > 0)
    expect(draft!.mail.to).toBe('otto@example.com')
    await outside.query('commit')
    await erased()
    expect((await drafts()).map(({ mail: { to, cc } }) => [to, cc])).toEqual([['otto@example.com', '']])
  })
})
