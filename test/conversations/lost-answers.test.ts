import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseProxy } from '../../bench/chaos/database-proxy.js'
import { expectRecord } from '../../src/modules/attachments/attachment-jobs.js'
import { isId, systemClock } from '../../src/platform/db/clock.js'
import { rawMail } from '../touchpoints/email/mails.js'
import { uploadImage } from '../support/upload-image.js'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { newContact, startConversationFixture, texts, type ConversationFixture } from './conversation-fixture.js'
import { untilPasses } from '../support/until.js'

let database: TestDatabase
let proxy: DatabaseProxy
let dataDir: string
let fixture: ConversationFixture
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'switchboard-lost-'))
  database = await makeDatabase()
  proxy = await DatabaseProxy.open(database.url)
  fixture = await startConversationFixture({ DATABASE_URL: proxy.url, DATA_DIR: dataDir })
})
afterAll(async () => {
  await fixture?.close()
  await proxy?.close()
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const ACCEPT = `mutation ($id: ID!) { acceptConversation(conversation: $id, ifQueued: true) { status } }`
const queued = () => fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** All of one turn of the event loop, so that they are one batch. */
const together = <T>(count: number, send: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)))

describe('a COMMIT whose answer is lost', () => {
  it('is not repeated: 16 cuts under batches of sends', async () => {
    const conversations = await together(4, queued)
    const before = proxy.cuts
    for (let round = 0; round < 16; round++) {
      proxy.cutNext('after')
      const sent = await together(5, (index) =>
        fixture.send(fixture.ann, conversations[index % 4]!.id, { role: 'AGENT', text: `round ${round}, ${index}` }),
      )
      expect(sent.filter(({ code }) => code !== undefined)).toEqual([])
    }
    expect(proxy.cuts - before).toBe(16)
    const said = (await Promise.all(conversations.map(({ id }) => fixture.show(id)))).flatMap(texts)
    const answers = said.filter((text) => text?.startsWith('round'))
    expect(answers).toHaveLength(80)
    expect(new Set(answers).size).toBe(80)
  })

  it('reports success to the winner of an exclusive accept', async () => {
    for (let round = 0; round < 4; round++) {
      const conversations = await together(8, queued)
      proxy.cutNext('after')
      const outcomes = await together(8, (index) =>
        fixture.run<{ status: string }>(fixture.ann, ACCEPT, { id: conversations[index]!.id }),
      )
      expect(outcomes.map(({ value, code }) => code ?? value.status)).toEqual(Array.from({ length: 8 }, () => 'ACTIVE'))
    }
  })

  it('has the effects of a commit: subscribers receive the events', async () => {
    const { id } = await queued()
    proxy.cutNext('after')
    expect((await fixture.send(fixture.bot, id, { text: 'heard' })).code).toBeUndefined()
    const rows = await fixture.server.database.query('select 1 from event where stream = $1 and type = $2', [
      `conversation:${id}`,
      'message.added',
    ])
    expect(rows).toHaveLength(2)
  })

  it('creates one conversation for a create, one response for a key, and one record', async () => {
    proxy.cutNext('after')
    const created = await fixture.tryCreate({ contact: newContact(), messages: [{ role: 'CONTACT', text: 'one' }] })
    expect(created.code).toBeUndefined()
    proxy.cutNext('after')
    const first = await fixture.send(fixture.bot, created.value.id, { text: 'keyed' }, 'lost-1')
    expect(first.code).toBeUndefined()
    expect(await fixture.send(fixture.bot, created.value.id, { text: 'keyed' }, 'lost-1')).toEqual(first)
    expect(texts(await fixture.show(created.value.id))).toEqual(['one', 'keyed'])
    proxy.cutNext('after')
    const channel = await fixture.rest(fixture.admin, 'POST', '/v2/channels', { name: 'Made once' })
    expect(channel.status).toBe(201)
    const named = await fixture.server.database.query(`select 1 from channel where name = 'Made once'`)
    expect(named).toHaveLength(1)
  })
})

const stored = async (): Promise<string[]> => {
  const names = await readdir(join(dataDir, 'attachments'), { recursive: true })
  return names.map((name) => basename(name)).filter(isId)
}
const sweep = async (): Promise<void> => {
  fixture.clock.advance(3_700_000)
  await untilPasses(async () => {
    const rows = await fixture.server.database.query("select 1 from job where kind = 'attachment.sweep'")
    expect(rows).toEqual([])
  })
}

describe('an upload', () => {
  it('keeps its bytes when the response to its COMMIT is lost, even an hour later', async () => {
    proxy.cutNext('after')
    const response = await uploadImage(fixture, await fixture.tokenFor(fixture.admin), { name: 'kept.png' })
    expect(response.status).toBe(201)
    const { id } = (await response.json()) as { id: string }
    await sweep()
    expect(await stored()).toContain(id)
  })

  it('leaves no bytes without a record for more than an hour, even if the process dies', async () => {
    const id = systemClock.newId()
    // As a process leaves it that is killed between the two.
    await expectRecord(fixture.server.database, fixture.clock, id)
    const folder = join(dataDir, 'attachments', id.slice(-2))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, id), 'bytes')
    expect(await stored()).toContain(id)
    await sweep()
    expect(await stored()).not.toContain(id)
  })
})

describe('a connection that ends before its COMMIT has arrived', () => {
  it('is repeated once, on another one', async () => {
    const { id } = await queued()
    proxy.cutNext('before')
    const sent = await together(4, (index) => fixture.send(fixture.ann, id, { role: 'AGENT', text: `again ${index}` }))
    expect(sent.map(({ code }) => code)).toEqual([undefined, undefined, undefined, undefined])
    expect(texts(await fixture.show(id)).filter((text) => text?.startsWith('again'))).toHaveLength(4)
  })

  it('refuses the write of an ordinary record, with 503 and Retry-After', async () => {
    proxy.cutNext('before')
    const { status, headers, body } = await fixture.rest(fixture.admin, 'POST', '/v2/channels', { name: 'Never made' })
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await fixture.server.database.query(`select 1 from channel where name = 'Never made'`)).toEqual([])
  })
})

describe('acceptConversation(ifQueued: true)', () => {
  it('reports success to the winner, also when it asks again, and failure to others', async () => {
    const { id } = await queued()
    expect((await fixture.run(fixture.ann, ACCEPT, { id })).code).toBeUndefined()
    expect((await fixture.run<{ status: string }>(fixture.ann, ACCEPT, { id })).value).toEqual({ status: 'ACTIVE' })
    expect(await fixture.run(fixture.ben, ACCEPT, { id })).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { acceptedBy: fixture.ann.id },
    })
  })
})

// The last one: what an inbound message queues goes on in the background, and would take the cuts of others.
describe('an inbound message', () => {
  it('keeps its files when the answer to its COMMIT is lost, and keeps them once', async () => {
    const input = { type: 'email', params: { address: 'support@boats.example', inboundSecret: 'a secret of the test' } }
    const { value, code } = await fixture.run<{ id: string }>(
      fixture.admin,
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      { input },
    )
    expect(code).toBeUndefined()
    const before = await stored()
    const attached = { name: 'boat.png', type: 'image/png', content: PNG }
    const mail = rawMail({ to: 'support@boats.example', messageId: 'lost@example.com', attachments: [attached] })
    const deliver = () =>
      fetch(`${fixture.url}/inbound/email/${value.id}`, {
        method: 'POST',
        headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': 'a secret of the test' },
        body: mail,
      })
    proxy.cutNext('after')
    const cuts = proxy.cuts
    expect((await deliver()).status).toBeLessThan(300)
    expect(proxy.cuts).toBe(cuts + 1)
    // The provider may repeat it all the same.
    expect((await deliver()).status).toBeLessThan(300)
    const rows = await fixture.server.database.query<{ id: string }>(
      `select id from attachment where file_name = 'boat.png'`,
    )
    expect(rows).toHaveLength(1)
    await sweep()
    expect((await stored()).filter((id) => !before.includes(id))).toEqual([rows[0]!.id])
  })
})
