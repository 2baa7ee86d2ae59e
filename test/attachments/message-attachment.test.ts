import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

/** File messages (2.12): `meta.fileId` names an attachment. */

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

let app: TestServer
let dataDir: string
let customer: MadeOrganization
let rival: MadeOrganization
let centerAgent: MadeUser
let admin: MadeUser
let agent: MadeUser
let conversation: string
let guest: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'file-messages-'))
  app = await startTestServer({ DATA_DIR: dataDir })
  const center = await app.makeOrganization({ name: 'Center' })
  customer = await app.makeOrganization({ parent: center, name: 'Customer' })
  rival = await app.makeOrganization({ parent: center, name: 'Rival' })
  centerAgent = await app.makeUser({ organization: center, role: 'admin' })
  admin = await app.makeUser({ organization: customer, role: 'admin' })
  agent = await app.makeUser({ organization: customer })
  const made = await makeConversation()
  conversation = made.conversation
  guest = made.guest
})
afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})

async function makeConversation(): Promise<{ conversation: string; guest: string }> {
  const { data } = await app.gql(
    admin,
    'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
    { input: { contact: { profile: { name: 'Jo', email: `jo-${app.clock.newId()}@example.com` } } } },
  )
  const { id } = data.createConversation
  const token = await app.gql(admin, 'mutation ($c: ID!) { createGuestToken(conversation: $c) { token } }', { c: id })
  return { conversation: id, guest: token.data.createGuestToken.token }
}

async function upload(as: MadeUser | string, organization?: MadeOrganization): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([PNG]), 'photo.png')
  if (organization) form.append('organization', organization.id)
  const token = typeof as === 'string' ? as : await app.tokenFor(as)
  const response = await fetch(`${app.url}/v2/attachments`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: string }).id
}

const send = (as: MadeUser | string, message: object, to = conversation) =>
  app.gql(
    as,
    `mutation ($c: ID!, $message: MessageInput!) {
      sendMessage(conversation: $c, message: $message) { id text meta attachment { id fileType url } }
    }`,
    { c: to, message },
  )

interface Seen {
  attachment: { id: string; url: string } | null
}

async function seenBy(as: MadeUser | string, message: string): Promise<Seen> {
  const { data, errors } = await app.gql(
    as,
    `query ($id: ID!) {
      conversation(id: $id) { messages(last: 100) { edges { node { id attachment { id url } } } } }
    }`,
    { id: conversation },
  )
  expect(errors).toBeUndefined()
  const nodes = data.conversation.messages.edges.map(({ node }: { node: { id: string } }) => node)
  return nodes.find(({ id }: { id: string }) => id === message)
}

async function read(url: string): Promise<number> {
  const { pathname, search } = new URL(url)
  const response = await fetch(`${app.url}${pathname}${search}`)
  await response.arrayBuffer()
  return response.status
}

describe('a file message', () => {
  // [2.12 file title, file fileName, file fileType, file fileId]
  it('shows an agent’s upload to the consumer, with its description', async () => {
    const fileId = await upload(agent)
    const { data, errors } = await send(agent, { role: 'AGENT', touchpoint: 'WEB', meta: { fileId, title: 'Look' } })
    expect(errors).toBeUndefined()
    const { id, meta, text, attachment } = data.sendMessage
    expect(meta).toEqual({ fileId, title: 'Look', fileName: 'photo.png', fileType: 'image/png' })
    expect([text, attachment.fileType]).toEqual([null, 'image/png'])
    for (const who of [guest, agent, centerAgent]) {
      const seen = await seenBy(who, id)
      expect(seen.attachment!.id).toBe(fileId)
      expect(await read(seen.attachment!.url)).toBe(200)
    }
  })

  // [2.12 file fileName]
  it('keeps the name that its sender gives it', async () => {
    const fileId = await upload(agent)
    const { data } = await send(agent, { role: 'AGENT', touchpoint: 'WEB', meta: { fileId, fileName: 'mine.png' } })
    expect(data.sendMessage.meta).toMatchObject({ fileName: 'mine.png', fileType: 'image/png' })
  })

  it('of an agent of the contact center shows that agent’s upload to a customer’s consumer', async () => {
    const fileId = await upload(centerAgent)
    const { data } = await send(centerAgent, { role: 'AGENT', touchpoint: 'WEB', meta: { fileId } })
    const seen = await seenBy(guest, data.sendMessage.id)
    expect(await read(seen.attachment!.url)).toBe(200)
  })

  it('of a consumer shows what that consumer uploaded, and nothing else', async () => {
    const own = await upload(guest)
    const { data, errors } = await send(guest, { role: 'CONTACT', meta: { fileId: own } })
    expect(errors).toBeUndefined()
    expect((await seenBy(agent, data.sendMessage.id)).attachment!.id).toBe(own)
    const other = await makeConversation()
    for (const fileId of [await upload(agent), await upload(other.guest)]) {
      const refused = await send(guest, { role: 'CONTACT', text: 'x', meta: { fileId } })
      expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', field: 'meta.fileId' })
    }
  })

  it('refuses attachments of unrelated organizations, of other tenants and unknown ones', async () => {
    const beside = await upload(centerAgent, rival)
    const rivalAgent = await app.makeUser({ organization: rival })
    for (const [who, fileId] of [
      [agent, beside],
      [centerAgent, beside],
      [agent, await upload(rivalAgent)],
      [agent, app.clock.newId()],
    ] as const) {
      const { errors } = await send(who, { role: 'AGENT', touchpoint: 'WEB', meta: { fileId } })
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', field: 'meta.fileId' })
    }
    const { errors } = await send(agent, { role: 'AGENT', text: 'x', meta: { fileId: 'abc' } })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'meta.fileId' })
  })

  it('with a file id written directly into the stored metadata shows nothing of another tenant', async () => {
    const beside = await upload(centerAgent, rival)
    const { data } = await send(agent, { role: 'AGENT', touchpoint: 'WEB', text: 'x' })
    const { id } = data.sendMessage
    await app.server.database.query(`update message set meta = jsonb_build_object('fileId', $2::text) where id = $1`, [
      id,
      beside,
    ])
    expect((await seenBy(agent, id)).attachment).toBeNull()
  })

  it('survives the deletion of its attachment', async () => {
    const fileId = await upload(agent)
    const { data } = await send(agent, { role: 'AGENT', touchpoint: 'WEB', meta: { fileId } })
    expect(
      (await app.gql(admin, 'mutation ($id: ID!) { deleteAttachment(id: $id) }', { id: fileId })).errors,
    ).toBeUndefined()
    expect((await seenBy(guest, data.sendMessage.id)).attachment).toBeNull()
  })

  it('is refused where the attachment is removed at the moment', async () => {
    const gone = await upload(admin)
    const beside = await makeConversation()
    const remover = new pg.Client({ connectionString: app.databaseUrl })
    await remover.connect()
    try {
      // As every removal: the attachment is locked, then its messages are looked for, and there is none.
      await remover.query('begin')
      await remover.query('select from attachment where id = $1 for update', [gone])
      const named = send(admin, { text: 'A photo', touchpoint: 'WEB', meta: { fileId: gone } })
      // Of the same batch: it is repeated without the other.
      const plain = send(admin, { text: 'No photo', touchpoint: 'WEB' }, beside.conversation)
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%attachment%for key share%'`
      await until(async () => (await app.server.database.query(waiting)).length > 0)
      await remover.query('delete from attachment where id = $1', [gone])
      await remover.query('commit')
      expect((await named).errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', field: 'meta.fileId' })
      expect((await plain).errors).toBeUndefined()
    } finally {
      await remover.end()
    }
    const stored = await app.server.database.query(`select from message where meta ->> 'fileId' = $1`, [gone])
    expect(stored).toEqual([])
  })

  it('can be changed to an attachment that the caller sees; an existing one may remain', async () => {
    const own = await upload(admin)
    const { data } = await app.gql(
      admin,
      'mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id } }',
      { c: conversation, m: { text: 'A photo', meta: { fileId: own } } },
    )
    const patched = async (meta: object): Promise<unknown> => {
      const { body } = await app.rest(admin, 'PATCH', `/v2/messages/${data.sendMessage.id}`, { meta })
      return body.code ?? body.meta
    }
    expect(await patched({ fileId: await upload(await app.makeUser({ organization: rival })) })).toBe('NOT_FOUND')
    expect(await patched({ fileId: 7 })).toBe('BAD_USER_INPUT')
    const another = await upload(admin)
    expect(await patched({ fileId: another })).toEqual({
      fileId: another,
      fileName: 'photo.png',
      fileType: 'image/png',
    })
    await app.rest(admin, 'DELETE', `/v2/attachments/${another}`)
    expect(await patched({ fileId: another, title: 'Gone' })).toEqual({ fileId: another, title: 'Gone' })
  })
})
