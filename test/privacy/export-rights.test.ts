import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { until } from '../support/until.js'
import { Exports, openZip, type ShownExport } from './exports.js'

// Who may export a contact, and to whom its file is given.
const dataDir = mkdtempSync(join(tmpdir(), 'export-rights-'))

let fixture: ConversationFixture
let exports: Exports
let sub: MadeOrganization
let subAdmin: MadeUser
let stranger: MadeUser
let contact: string
let contactOfSub: string
beforeAll(async () => {
  fixture = await startConversationFixture({ DATA_DIR: dataDir })
  exports = new Exports(fixture)
  sub = await fixture.makeOrganization({ parent: fixture.organization, name: 'Below' })
  subAdmin = await fixture.makeUser({ organization: sub, role: 'admin' })
  stranger = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
  contact = (await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })).contactId
  contactOfSub = (await fixture.rest(subAdmin, 'POST', '/v2/contacts', { profile: { name: 'Sue' } })).body.id
})
afterAll(async () => {
  await fixture?.close()
  await rm(dataDir, { recursive: true })
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query(text, values)
const EXPORT = 'mutation ($id: ID!) { exportContact(id: $id) { id } }'
const codeOf = async (as: MadeUser | string, id: string): Promise<string | undefined> =>
  (await fixture.run(as, EXPORT, { id })).code
const errorOf = async (url: string): Promise<{ status: number; body: { code?: string; reason?: string } }> => {
  const response = await exports.fetch(url)
  return { status: response.status, body: (await response.json()) as { code?: string; reason?: string } }
}
const entriesOf = (action: string, id: string) =>
  sql<{ action: string; actor: { id: string }; object: object; details: Record<string, unknown> }>(
    'select action, actor, object, details from audit_entry where action = $1 and (object ->> $3 = $2 or details ->> $4 = $2) order by at, id',
    [action, id, 'id', 'contact'],
  )

describe('who may export a contact', () => {
  it('are administrators of its organization and of those above it, and no others', async () => {
    expect(await codeOf(fixture.ann, contact)).toBe('FORBIDDEN')
    expect(await codeOf(fixture.bot, contact)).toBe('FORBIDDEN')
    const guest = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
    const { id } = await fixture.create({})
    const { token } = (await fixture.run<{ token: string }>(fixture.admin, guest, { id })).value
    expect(await codeOf(token, contact)).toBe('FORBIDDEN')
    expect(await codeOf(stranger, contact)).toBe('NOT_FOUND')
    expect(await codeOf(subAdmin, contact)).toBe('NOT_FOUND')
    expect(await codeOf(subAdmin, contactOfSub)).toBeUndefined()
    expect(await codeOf(fixture.admin, contactOfSub)).toBeUndefined()
    expect(await codeOf(fixture.admin, 'nobody')).toBe('NOT_FOUND')
  })

  it('see the record, and those of other tenants do not', async () => {
    const { id } = await exports.made(fixture.admin, contact)
    expect(await exports.show(stranger, id)).toBeNull()
    expect(await exports.show(subAdmin, id)).toBeNull()
    expect((await exports.show(fixture.admin, id))!.status).toBe('READY')
    const list = (as: MadeUser) =>
      fixture.run<{ nodes: object[] }>(
        as,
        'query ($contact: ID!) { contactExports(contact: $contact) { nodes { id status } } }',
        { contact },
      )
    expect((await list(stranger)).code).toBe('NOT_FOUND')
    expect((await list(fixture.ann)).code).toBe('FORBIDDEN')
    expect((await list(fixture.admin)).value.nodes[0]).toEqual({ id, status: 'READY' })
    // Without a contact: of all that the caller sees.
    const all = (as: MadeUser) =>
      fixture.run<{ nodes: { contactId: string }[] }>(as, '{ contactExports { nodes { contactId } } }')
    expect((await all(fixture.ann)).code).toBe('FORBIDDEN')
    expect((await all(stranger)).value.nodes).toEqual([])
    const contactsOf = async (as: MadeUser): Promise<Set<string>> =>
      new Set((await all(as)).value.nodes.map(({ contactId }) => contactId))
    expect(await contactsOf(subAdmin)).toEqual(new Set([contactOfSub]))
    expect(await contactsOf(fixture.admin)).toEqual(new Set([contact, contactOfSub]))
  })

  it('do not export a contact that is deleted, or is being erased', async () => {
    const { body } = await fixture.rest(fixture.admin, 'POST', '/v2/contacts', { profile: { name: 'Del' } })
    expect((await fixture.rest(fixture.admin, 'DELETE', `/v2/contacts/${body.id}`)).status).toBe(204)
    expect(await codeOf(fixture.admin, body.id)).toBe('NOT_FOUND')
    const erasing = (await fixture.rest(fixture.admin, 'POST', '/v2/contacts', { profile: { name: 'Era' } })).body.id
    await sql('update contact set erasing_at = now() where id = $1', [erasing])
    expect(await codeOf(fixture.admin, erasing)).toBe('NOT_FOUND')
  })
})

describe('an export that is asked for again', () => {
  it('is the same while it is written, and with notes another', async () => {
    const held = 'contactExport.write'
    await sql(`create function hold_exports() returns trigger language plpgsql as $$
      begin if new.kind = '${held}' then new.run_at = now() + interval '1 hour'; end if; return new; end $$`)
    await sql('create trigger hold before insert on job for each row execute function hold_exports()')
    let [plain, again, full]: ShownExport[] = []
    try {
      ;[plain, again, full] = [
        await exports.ask(fixture.admin, contact),
        await exports.ask(fixture.admin, contact, false),
        await exports.ask(fixture.admin, contact, true),
      ]
    } finally {
      await sql('drop function hold_exports cascade')
    }
    expect(again!.id).toBe(plain!.id)
    expect(full!.id).not.toBe(plain!.id)
    expect(plain).toMatchObject({ status: 'PENDING', url: null, size: null, sha256: null, expiresAt: null })
    fixture.clock.advance(3_600_000)
    expect((await exports.ended(fixture.admin, plain!.id)).status).toBe('READY')
    expect((await exports.ended(fixture.admin, full!.id)).notes).toBe(true)
    expect((await exports.ask(fixture.admin, contact)).id).not.toBe(plain!.id)
  })

  it('is the same with an idempotency key', async () => {
    const query = 'mutation ($id: ID!, $key: String) { exportContact(id: $id, idempotencyKey: $key) { id } }'
    const ask = () => fixture.run<{ id: string }>(fixture.admin, query, { id: contact, key: 'once' })
    const { id } = (await ask()).value
    await exports.ended(fixture.admin, id)
    expect((await ask()).value.id).toBe(id)
  })
})

describe('the link of an export', () => {
  it('names whom it was given to, and is in the audit log with each download', async () => {
    const { id, url } = await exports.made(fixture.admin, contact)
    expect(new URL(url!).searchParams.get('user')).toBe(fixture.admin.id)
    const response = await exports.fetch(url!)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toMatch(`attachment; filename="contact-${contact}.zip"`)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    await openZip(Buffer.from(await response.arrayBuffer()))
    const [download] = await entriesOf('downloadContactExport', id)
    expect(download).toMatchObject({
      actor: { kind: 'user', id: fixture.admin.id },
      object: { type: 'contactExport', id },
      details: { contact },
    })
    const [request] = await entriesOf('exportContact', id)
    expect(request).toMatchObject({ actor: { kind: 'user', id: fixture.admin.id } })
    const owner = await fixture.makeUser({ organization: fixture.organization, role: 'owner' })
    const others = (await exports.show(owner, id))!.url!
    expect(new URL(others).searchParams.get('user')).toBe(owner.id)
    await (await exports.fetch(others)).arrayBuffer()
    const downloads = await entriesOf('downloadContactExport', id)
    expect(downloads.map(({ actor }) => actor.id)).toEqual([fixture.admin.id, owner.id])
  })

  it('opens nothing when any of it is changed, and nothing else', async () => {
    const { id, url } = await exports.made(fixture.admin, contact)
    const changed = (change: (url: URL) => void): string => {
      const copy = new URL(url!)
      change(copy)
      return copy.href
    }
    const other = await exports.made(fixture.admin, contactOfSub)
    for (const each of [
      changed(({ searchParams }) => searchParams.set('user', subAdmin.id)),
      changed(({ searchParams }) => searchParams.set('expires', '4102444800')),
      changed(({ searchParams }) => searchParams.delete('signature')),
      changed(({ searchParams }) => searchParams.delete('user')),
      changed((copy) => (copy.pathname = copy.pathname.replace(id, other.id))),
    ]) {
      expect(await errorOf(each)).toMatchObject({ status: 403, body: { reason: 'LINK_INVALID' } })
    }
    expect(await entriesOf('downloadContactExport', other.id)).toEqual([])
  })

  it('opens nothing for an administrator who is none any more', async () => {
    const admin = await fixture.makeUser({ organization: fixture.organization, role: 'admin' })
    const { url } = await exports.made(admin, contact)
    expect((await exports.fetch(url!)).status).toBe(200)
    await sql(`update app_user set role = 'agent' where id = $1`, [admin.id])
    expect(await errorOf(url!)).toMatchObject({ status: 403, body: { reason: 'LINK_INVALID' } })
    await sql(`update app_user set role = 'admin', status = 'archived' where id = $1`, [admin.id])
    expect((await errorOf(url!)).status).toBe(403)
    await sql(`update app_user set status = 'active', organization_id = $2, org2 = $2 where id = $1`, [
      admin.id,
      sub.id,
    ])
    expect((await errorOf(url!)).status).toBe(403)
  })

  it('opens nothing while the contact center is archived', async () => {
    const center = await fixture.makeContactCenter()
    const { id } = (await fixture.rest(center.owner, 'POST', '/v2/contacts', { profile: { name: 'Arc' } })).body
    const { url } = await exports.made(center.owner, id)
    const change = (name: string) => sql(`update contact_center set archived_at = ${name} where org1 = $1`, [center.id])
    await change('now()')
    expect((await errorOf(url!)).status).toBe(404)
    await change('null')
    expect((await exports.fetch(url!)).status).toBe(200)
  })
})

describe('/v2', () => {
  it('exports a contact, shows and lists its exports, and gives the file', async () => {
    const made = await fixture.rest(fixture.admin, 'POST', `/v2/contacts/${contact}/export`, { notes: true })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ contact, notes: true, status: 'pending', requestedBy: fixture.admin.id })
    const ready = await until(
      () => fixture.rest(fixture.admin, 'GET', `/v2/exports/${made.body.id}`),
      ({ body }) => body.status === 'ready',
    )
    expect(ready.body).toMatchObject({ conversations: 1, files: 0 })
    const response = await exports.fetch(ready.body.url)
    expect(Buffer.from(await response.arrayBuffer())).toHaveLength(ready.body.size)
    const list = await fixture.rest(fixture.admin, 'GET', `/v2/contacts/${contact}/exports`)
    expect(list.body[0].id).toBe(made.body.id)
    expect(list.body.every((each: { contact: string }) => each.contact === contact)).toBe(true)
    expect((await fixture.rest(stranger, 'GET', `/v2/contacts/${contact}/exports`)).status).toBe(404)
    expect((await fixture.rest(stranger, 'GET', `/v2/exports/${made.body.id}`)).status).toBe(404)
    expect((await fixture.rest(stranger, 'POST', `/v2/contacts/${contact}/export`, {})).status).toBe(404)
    expect((await fixture.rest(fixture.ann, 'POST', `/v2/contacts/${contact}/export`, {})).status).toBe(403)
    const wrong = await fixture.rest(fixture.admin, 'POST', `/v2/contacts/${contact}/export`, { notes: 'yes' })
    expect(wrong.status).toBe(400)
  })
})
