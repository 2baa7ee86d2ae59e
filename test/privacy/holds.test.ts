import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newContact, texts, until } from '../conversations/conversation-fixture.js'
import { startOffice, type Office } from '../conversations/office-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { letNextComeDue } from '../support/next-job.js'
import { uploadImage } from '../support/upload-image.js'
import { holdsOf, type Holds } from './holds-fixture.js'

let office: Office
let holds: Holds
beforeAll(async () => {
  office = await startOffice({}, { pace: 50 })
  holds = holdsOf(office)
})
afterAll(() => office?.close())

const NOBODY = '01900000-0000-7000-8000-000000000000'
const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => office.server.database.query(text, values)
const act = (mutation: string, id: string, as = office.admin) =>
  office.run<string>(as, `mutation ($id: ID!) { ${mutation}(id: $id) }`, { id })
const say = (text: string, contactId?: string) =>
  office.create({
    contact: contactId ? { id: contactId } : newContact(),
    messages: [{ role: 'CONTACT', text }],
  })
const closed = async (text: string) => {
  const made = await say(text)
  await sql(`update conversation set status = 'closed', channels = '{}', channels_offline = '{}' where id = $1`, [
    made.id,
  ])
  return made
}
const lastOf = async (id: string, text: string): Promise<string> =>
  (await office.show(id)).messages.edges.find(({ node }) => node.text === text)!.node.id
const edit = (as: MadeUser | string, id: string, patch: object) =>
  office.run<{ text: string }>(
    as,
    'mutation ($id: ID!, $patch: UpdateMessageInput!) { updateMessage(id: $id, patch: $patch) { text } }',
    { id, patch },
  )
const upload = async (): Promise<string> => {
  const uploaded = await uploadImage(office, await office.tokenFor(office.ann), { name: 'egret.png' })
  return ((await uploaded.json()) as { id: string }).id
}
const held = (hold: { id: string; name: string }) => ({
  code: 'UNPROCESSABLE',
  details: { reason: 'ON_HOLD', field: 'id', hold: hold.id, holds: [{ id: hold.id, name: hold.name }] },
})

describe('createHold', () => {
  it('makes a hold of the organization, once all that it names is found', async () => {
    const { id, contactId } = await say('hello')
    const made = await holds.make({ contacts: [contactId, contactId.toUpperCase()], conversations: [id] })
    expect(made).toMatchObject({ name: 'Case 7', contacts: [contactId], conversations: [id], users: [], version: 1 })
    expect(made).toMatchObject({ from: null, to: null, releasedAt: null, createdById: office.admin.id })
    const elsewhere = await office.makeOrganization({ name: 'Elsewhere' })
    const theirs = await office.makeUser({ organization: elsewhere, role: 'admin' })
    const refused = (input: object, as?: MadeUser) => holds.try(input, as)
    expect(await refused({ contacts: [contactId] }, theirs)).toMatchObject({
      code: 'NOT_FOUND',
      details: { field: 'contacts[0]' },
    })
    expect(await refused({ conversations: [id, NOBODY] })).toMatchObject({
      code: 'NOT_FOUND',
      details: { field: 'conversations[1]' },
    })
    expect(await refused({ users: ['x'] })).toMatchObject({ code: 'NOT_FOUND', details: { field: 'users[0]' } })
    expect(await refused({})).toMatchObject({ code: 'BAD_USER_INPUT', details: { reason: 'MISSING_VALUE' } })
    const span = { from: '2026-02-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }
    expect(await refused(span)).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'from' } })
    expect(await refused({ contacts: [contactId], name: ' ' })).toMatchObject({ details: { field: 'name' } })
    expect(await refused({ contacts: Array.from({ length: 1_001 }, () => NOBODY) })).toMatchObject({
      details: { field: 'contacts' },
    })
    for (const as of [office.ann, office.bot])
      expect((await refused({ contacts: [contactId] }, as)).code).toBe('FORBIDDEN')
    expect((await office.run(theirs, 'query ($id: ID!) { hold(id: $id) { id } }', { id: made.id })).code).toBe(
      'NOT_FOUND',
    )
    await holds.release(made.id)
  })

  it('is listed, changed in name and reason, and released once, each of which is audited', async () => {
    const { contactId } = await say('hello')
    const made = await holds.make({ contacts: [contactId] })
    const change = `mutation ($id: ID!, $patch: UpdateHoldInput!) { updateHold(id: $id, patch: $patch) { name version } }`
    const patch = { name: 'Case 8', ifVersion: 1 }
    expect((await office.run(office.admin, change, { id: made.id, patch })).value).toEqual({
      name: 'Case 8',
      version: 2,
    })
    expect((await office.run(office.admin, change, { id: made.id, patch })).code).toBe('PRECONDITION_FAILED')
    const list = (filter: object) =>
      office.run<{ edges: { node: { id: string } }[] }>(
        office.admin,
        'query ($filter: HoldFilter) { holds(filter: $filter) { edges { node { id } } } }',
        { filter },
      )
    const active = { contacts: { eq: contactId }, releasedAt: { eq: null } }
    expect((await list(active)).value.edges).toEqual([{ node: { id: made.id } }])
    const released = await holds.release(made.id)
    expect(released).toMatchObject({ releasedById: office.admin.id, version: 3 })
    expect(await holds.release(made.id)).toEqual(released)
    expect((await list(active)).value.edges).toEqual([])
    expect((await list({ contacts: { eq: contactId } })).value.edges).toHaveLength(1)
    const entries = await sql<{ action: string }>(
      `select action from audit_entry where object ->> 'id' = $1 order by id`,
      [made.id],
    )
    expect(entries.map(({ action }) => action)).toEqual(['createHold', 'updateHold', 'releaseHold', 'releaseHold'])
  })
})

describe('what a hold names', () => {
  it('is not deleted by administrators, whatever leads to it', async () => {
    const text = 'kept as it is'
    const { id, contactId } = await closed(text)
    const message = await lastOf(id, text)
    const hold = await holds.make({ contacts: [contactId] })
    expect(await act('deleteConversation', id)).toMatchObject(held(hold))
    expect(await act('deleteMessage', message)).toMatchObject(held(hold))
    expect(await act('deleteContact', contactId)).toMatchObject(held(hold))
    const rest = await office.rest(office.admin, 'DELETE', `/v2/conversations/${id}`)
    expect(rest).toMatchObject({ status: 422, body: { reason: 'ON_HOLD', field: 'id', hold: hold.id } })
    expect((await office.rest(office.admin, 'DELETE', `/v2/messages/${message}`)).status).toBe(422)
    expect((await office.rest(office.admin, 'DELETE', `/v2/contacts/${contactId}`)).status).toBe(422)
    expect(texts(await office.show(id))).toEqual([text])
    await holds.release(hold.id)
    expect((await act('deleteMessage', message)).code).toBeUndefined()
    expect((await act('deleteConversation', id)).code).toBeUndefined()
    expect((await act('deleteContact', contactId)).code).toBeUndefined()
  })

  it('is what users took part in, and what was under way in a span of time', async () => {
    const asked = await closed('who was it')
    const agent = await office.makeUser({ organization: office.admin.organization })
    await office.send(agent, asked.id, { role: 'AGENT', text: 'it was me' })
    await sql('delete from participant where conversation_id = $1', [asked.id])
    const other = await closed('nobody answered')
    const ofUser = await holds.make({ users: [agent.id] })
    expect(await act('deleteConversation', asked.id)).toMatchObject(held(ofUser))
    await holds.release(ofUser.id)

    await sql(`update conversation set created_at = '2020-01-10', last_message_at = '2020-02-10' where id = $1`, [
      other.id,
    ])
    const span = async (from: string | null, to: string | null) => {
      const hold = await holds.make({ from, to })
      const { code } = await act('deleteConversation', other.id)
      if (code) await holds.release(hold.id)
      return code
    }
    expect(await span('2020-02-01T00:00:00Z', '2020-03-01T00:00:00Z')).toBe('UNPROCESSABLE')
    expect(await span('2020-01-01T00:00:00Z', '2020-01-11T00:00:00Z')).toBe('UNPROCESSABLE')
    expect(await span(null, '2020-02-01T00:00:00Z')).toBe('UNPROCESSABLE')
    expect(await span('2020-02-10T00:00:00Z', null)).toBe('UNPROCESSABLE')
    expect(await span('2019-01-01T00:00:00Z', '2020-01-10T00:00:00Z')).toBeUndefined()
  })

  it('is what users took part in without a word, also once they are gone', async () => {
    const { id } = await office.inStatus('ACTIVE')
    const agent = await office.makeUser({ organization: office.admin.organization })
    expect(await office.command(agent, id, '/join')).not.toHaveProperty('code')
    const ofUser = await holds.make({ users: [agent.id] })
    const archive = 'mutation ($id: ID!) { updateUser(id: $id, patch: { status: ARCHIVED }) { id } }'
    expect(await office.run(office.admin, archive, { id: agent.id })).not.toHaveProperty('code')
    await until(async () => (await office.show(id)).participants.every(({ userId }) => userId !== agent.id))
    expect(await act('deleteConversation', id)).toMatchObject(held(ofUser))
    await holds.release(ofUser.id)
    expect((await act('deleteConversation', id)).code).toBeUndefined()
  })

  it('is of the organization and those below it alone', async () => {
    const below = await office.makeOrganization({ name: 'Below', parent: office.admin.organization })
    const theirs = await office.makeUser({ organization: below, role: 'admin' })
    const made = await office.run<{ id: string }>(
      theirs,
      `mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }`,
      { input: { contact: newContact(), touchpoint: 'WEB', messages: [{ role: 'CONTACT', text: 'below' }] } },
    )
    const { id } = made.value
    const mine = await closed('above')
    const ofThem = await holds.make({ from: '2020-01-01T00:00:00Z' }, theirs)
    expect(await act('deleteConversation', id, theirs)).toMatchObject(held(ofThem))
    expect((await act('deleteConversation', mine.id)).code).toBeUndefined()
    await holds.release(ofThem.id, theirs)
    const above = await holds.make({ conversations: [id] })
    expect(await act('deleteConversation', id, theirs)).toMatchObject(held(above))
    expect((await office.run(theirs, 'query ($id: ID!) { hold(id: $id) { id } }', { id: above.id })).code).toBe(
      'NOT_FOUND',
    )
    await holds.release(above.id)
  })

  it('keeps its attachments, also of a message that an agent took the file out of', async () => {
    const { id } = await say('with a file')
    const attachment = await upload()
    await office.send(office.ann, id, { role: 'AGENT', text: 'see', meta: { fileId: attachment } })
    const hold = await holds.make({ conversations: [id] })
    expect(await act('deleteAttachment', attachment)).toMatchObject(held(hold))
    expect((await office.rest(office.admin, 'DELETE', `/v2/attachments/${attachment}`)).status).toBe(422)
    const row = await lastOf(id, 'see')
    const other = await upload()
    expect((await edit(office.admin, row, { meta: { fileId: other } })).code).toBeUndefined()
    expect(await act('deleteAttachment', attachment)).toMatchObject(held(hold))
    await holds.release(hold.id)
    expect((await act('deleteAttachment', attachment)).code).toBeUndefined()
  })

  it('includes what a held conversation was merged into', async () => {
    const origin = await say('said in the first')
    const target = await closed('said in the second')
    const hold = await holds.make({ conversations: [origin.id] })
    const merge = 'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }'
    expect((await office.run(office.ann, merge, { id: target.id, origin: origin.id })).code).toBeUndefined()
    expect(await act('deleteConversation', target.id)).toMatchObject(held(hold))
    expect(await act('deleteConversation', origin.id)).toMatchObject(held(hold))
    const copy = await lastOf(target.id, 'said in the first')
    expect(await act('deleteMessage', copy)).toMatchObject(held(hold))
    // A merge changes no content: nothing of it is kept twice.
    expect(await holds.kept({ conversation: origin.id })).toEqual([])
    await holds.release(hold.id)
  })
})

describe('what agents edit and delete in a held conversation', () => {
  it('is kept as it was, for administrators alone, each reading of which is audited', async () => {
    const { id } = await say('question')
    await office.send(office.ann, id, { role: 'AGENT', text: 'first answer', meta: { a: 1 } })
    const message = await lastOf(id, 'first answer')
    expect((await edit(office.admin, message, { text: 'before the hold' })).code).toBeUndefined()
    const hold = await holds.make({ conversations: [id] })
    expect((await edit(office.admin, message, { text: 'second answer' })).value.text).toBe('second answer')
    expect((await edit(office.bot, message, { meta: { a: 2 } })).code).toBeUndefined()
    expect((await office.command(office.ann, id, '/action like', { meta: { message } })).code).toBeUndefined()
    const kept = await holds.kept({ hold: hold.id })
    const was = { conversationId: id, messageId: message, holds: [hold.id], deed: 'EDITED' }
    expect(kept).toEqual([
      { ...was, changedById: office.admin.id, text: 'before the hold', meta: { a: 1 } },
      { ...was, changedById: office.bot.id, text: 'second answer', meta: { a: 1 } },
    ])
    expect(await holds.kept({ conversation: id })).toEqual(kept)
    for (const as of [office.ann, office.bot])
      expect((await holds.tryKept({ hold: hold.id }, as)).code).toBe('FORBIDDEN')
    expect(await holds.tryKept({})).toMatchObject({ code: 'BAD_USER_INPUT', details: { reason: 'MISSING_VALUE' } })
    expect((await holds.tryKept({ hold: NOBODY })).code).toBe('NOT_FOUND')
    expect((await holds.tryKept({ conversation: NOBODY })).code).toBe('NOT_FOUND')
    const read = await sql<{ object: object; actor: object }>(
      `select object, actor from audit_entry where action = 'heldMessages' and object ->> 'id' = any($1) order by id`,
      [[hold.id, id]],
    )
    expect(read).toEqual([
      { object: { type: 'hold', id: hold.id }, actor: { kind: 'user', id: office.admin.id } },
      { object: { type: 'conversation', id }, actor: { kind: 'user', id: office.admin.id } },
    ])
    const rest = await office.rest(office.admin, 'GET', `/v2/holds/${hold.id}/messages`)
    expect(rest.body).toMatchObject([{ text: 'before the hold' }, { text: 'second answer' }])

    const second = await holds.make({ conversations: [id] })
    await until(
      () => holds.kept({ conversation: id }),
      ([first]) => first!.holds.length === 2,
    )
    await holds.release(hold.id)
    await until(
      () => holds.kept({ conversation: id }),
      ([first]) => first!.holds.length === 1,
    )
    expect((await holds.kept({ hold: second.id })).map(({ text }) => text)).toEqual([
      'before the hold',
      'second answer',
    ])
    await holds.release(second.id)
    await until(
      () => sql('select 1 from held_message where conversation_id = $1', [id]),
      (rows) => rows.length === 0,
    )
    expect((await edit(office.admin, message, { text: 'third answer' })).code).toBeUndefined()
    expect(await sql('select 1 from held_message where conversation_id = $1', [id])).toEqual([])
  })

  it('has what the sender took back before it was sent', async () => {
    const { id } = await say('question')
    const hold = await holds.make({ conversations: [id] })
    const message = office.clock.newId()
    const sent = await office.send(office.ann, id, { id: message, role: 'AGENT', text: 'not meant so', delay: 60_000 })
    expect(sent.code).toBeUndefined()
    const cancel = 'mutation ($c: ID!, $id: ID!) { cancelMessage(conversation: $c, id: $id) }'
    expect((await office.run(office.ann, cancel, { c: id, id: message })).code).toBeUndefined()
    expect(await holds.kept({ hold: hold.id })).toMatchObject([
      { messageId: message, deed: 'CANCELLED', changedById: office.ann.id, text: 'not meant so' },
    ])
    await holds.release(hold.id)
  })
})

describe('the erasure of a held contact', () => {
  const ERASURE = 'id status contactId blockedBy { id name }'
  type Erasing = { id: string; status: string; blockedBy: object[] }
  const erase = async (id: string) =>
    (
      await office.run<Erasing>(
        office.admin,
        `mutation ($id: ID!) { eraseContact(id: $id, reason: REQUESTED) { ${ERASURE} } }`,
        { id },
      )
    ).value
  const erasureOf = async (id: string) =>
    (await office.run<Erasing>(office.admin, `query ($id: ID!) { contactErasure(id: $id) { ${ERASURE} } }`, { id }))
      .value
  const isDone = (id: string) =>
    until(
      async () => {
        await letNextComeDue(office, 'privacy.erase')
        return erasureOf(id)
      },
      ({ status }) => status === 'DONE',
    )

  it('is blocked, erases nothing, and goes on by itself when the last hold is released', async () => {
    const { id, contactId } = await say('not yet')
    const byContact = await holds.make({ contacts: [contactId], name: 'A' })
    const byConversation = await holds.make({ conversations: [id], name: 'B' })
    const begun = await erase(contactId)
    const blockedBy = [
      { id: byContact.id, name: 'A' },
      { id: byConversation.id, name: 'B' },
    ]
    expect(begun).toMatchObject({ status: 'BLOCKED', blockedBy })
    expect(await erase(contactId)).toEqual(begun)
    const [contact] = await sql<{ profile: object; erasing_at: null }>('select * from contact where id = $1', [
      contactId,
    ])
    expect(contact).toMatchObject({ profile: { name: 'Carl' }, erasing_at: null })
    const told = () => sql(`select 1 from event where type = 'contact.erased' and data ->> 'id' = $1`, [contactId])
    expect(await told()).toEqual([])
    const rest = await office.rest(office.admin, 'GET', `/v2/erasures/${begun.id}`)
    expect(rest.body).toMatchObject({ status: 'blocked', blockedBy })
    const lines = await office.rest(office.admin, 'GET', '/v2/erasures')
    expect(lines.body).toContain('"blocked":true')

    await holds.release(byContact.id)
    await until(
      () => sql(`select 1 from job where kind = 'hold.changed'`),
      (jobs) => jobs.length === 0,
    )
    expect(await erasureOf(begun.id)).toMatchObject({ status: 'BLOCKED', blockedBy: blockedBy.slice(1) })
    expect(texts(await office.show(id))).toEqual(['not yet'])
    await holds.release(byConversation.id)
    expect(await isDone(begun.id)).toMatchObject({ blockedBy: [] })
    expect(await sql('select 1 from contact where id = $1', [contactId])).toEqual([])
    expect(await sql('select 1 from conversation where id = $1', [id])).toEqual([])
    expect(await told()).toHaveLength(1)
  })
})
