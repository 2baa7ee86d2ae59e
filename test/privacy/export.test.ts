import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { must, startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { PNG } from '../support/upload-image.js'
import { Exports, filesBelow, type OpenedZip } from './exports.js'
import { EXPORTED } from '../../src/modules/privacy/export/exported-tables.js'
import { PERSONAL_DATA } from '../../src/modules/privacy/personal-data.js'

const dataDir = mkdtempSync(join(tmpdir(), 'exports-'))

let fixture: ConversationFixture
let exports: Exports
beforeAll(async () => {
  fixture = await startConversationFixture({ DATA_DIR: dataDir })
  exports = new Exports(fixture)
})
afterAll(async () => {
  await fixture?.close()
  await rm(dataDir, { recursive: true })
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query(text, values)
const run = <T>(as: MadeUser | string, query: string, variables: Record<string, unknown>): Promise<T> =>
  must(fixture.run<T>(as, query, variables))

async function upload(as: MadeUser | string, name: string, more = ''): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([PNG, Buffer.from(more)], { type: 'image/png' }), name)
  const token = typeof as === 'string' ? as : await fixture.tokenFor(as)
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${fixture.url}/v2/attachments`, { method: 'POST', body: form, headers })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: string }).id
}

const guestOf = async (id: string): Promise<string> =>
  (
    await run<{ token: string }>(
      fixture.admin,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id },
    )
  ).token
const noteOf = (contact: string, text: string) =>
  run<{ id: string }>(
    fixture.ann,
    'mutation ($contact: ID!, $text: String!) { addContactNote(contact: $contact, text: $text) { id } }',
    { contact, text },
  )

const EVIL = `<script>alert('x')</script> & "quoted"`
const HTML = /<script|<img|javascript:/i

/** A contact with something in every file of an export. */
async function makeContact(): Promise<{ contact: string; conversation: string; emoji: string }> {
  const email = `eve-${fixture.clock.newId()}@example.com`
  const profile = { name: `Eve ${EVIL}`, email, telephone: '+31612345678' }
  const { id, contactId: contact } = await fixture.create({
    contact: { profile, meta: { tier: 'gold' } },
    messages: [{ role: 'CONTACT', text: `question ${EVIL}` }],
    language: 'de',
  })
  await fixture.send(fixture.ann, id, { role: 'AGENT', contentType: 'TEXT_HTML', text: '<p>an <b>answer</b></p>' })
  await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'zqsecret of the team', isBackchannel: true })
  const guest = await guestOf(id)
  for (const name of ['../../x.png', 'photo.png', 'photo.png', `${'n'.repeat(300)}.png`]) {
    const file = await upload(guest, name, fixture.clock.newId())
    expect((await fixture.send(guest, id, { role: 'CONTACT', meta: { fileId: file } })).code).toBeUndefined()
  }
  const emoji = await upload(fixture.ann, `${'🎈'.repeat(100)}.png`)
  await fixture.send(fixture.ann, id, { role: 'AGENT', meta: { fileId: emoji } })
  await noteOf(contact, `zqnote ${EVIL}`)
  await run(
    fixture.admin,
    'mutation ($id: ID!) { updateContact(id: $id, patch: { meta: { tier: "silver" } }) { id } }',
    { id: contact },
  )
  const [service] = await sql<{ id: string }>(
    `insert into service (id, organization_id, org1, name, type, touchpoint, created_at, updated_at)
     values ($1, $2, $2, 'Texts', 'twilio', 'sms', now(), now()) returning id`,
    [fixture.clock.newId(), fixture.organization.id],
  )
  await sql(`insert into opt_out (service_id, address, opted_out_at) values ($1, erased_name($2), now())`, [
    service!.id,
    '+31612345678',
  ])
  await sql(
    `insert into contact_handle (contact_id, service_id, address, last_inbound_at, created_at) values ($1, $2, 'zqhandle', now(), now())`,
    [contact, service!.id],
  )
  const [rating] = await sql<{ id: string }>(
    `insert into rating (id, organization_id, org1, conversation_id, case_conversation_id, case_at, contact_id, channel_id, channels,
       scale, asked_at, score, rated_at, created_at, updated_at)
     values ($1, $2, $2, $3, $3, now(), $4, $5, '{}', 'five', now(), 4, now(), now(), now()) returning id`,
    [fixture.clock.newId(), fixture.organization.id, id, contact, fixture.channel],
  )
  await sql(
    'insert into rating_comment (rating_id, conversation_id, case_conversation_id, comment) values ($1, $2, $2, $3)',
    [rating!.id, id, 'zqrated'],
  )
  return { contact, conversation: id, emoji }
}

describe('the ZIP of a contact', () => {
  let made: Awaited<ReturnType<typeof makeContact>>
  let plain: OpenedZip
  let full: OpenedZip
  beforeAll(async () => {
    made = await makeContact()
    plain = await exports.opened(fixture.admin, made.contact)
    full = await exports.opened(fixture.admin, made.contact, true)
  })
  const messagesIn = (zip: OpenedZip) =>
    zip.json(`conversations/${made.conversation}.json`).messages as Record<string, unknown>[]

  it('has what the consumer sees, and with notes also what the team sees, marked as such', () => {
    expect(messagesIn(plain).map(({ text }) => text)).toEqual(
      expect.arrayContaining([`question ${EVIL}`, '<p>an <b>answer</b></p>']),
    )
    const everything = [...plain.files.values()].map((file) => file.toString('latin1')).join('\n')
    expect(everything).not.toMatch(/zqsecret|zqnote/)
    expect(messagesIn(plain).filter(({ isInternal }) => isInternal)).toEqual([])
    const secret = messagesIn(full).find(({ text }) => text === 'zqsecret of the team')
    expect(secret).toMatchObject({ isInternal: true, author: 'Ann' })
    expect(full.json('notes.json')).toMatchObject([{ authorName: 'Ann', text: `zqnote ${EVIL}` }])
    expect(full.text('notes.html')).toContain('zqnote')
    expect(full.text(`conversations/${made.conversation}.html`)).toMatch(
      /class="internal"><header>.* · Intern: nur das Team sieht es<\/header><p dir="auto">zqsecret/,
    )
    expect(plain.names).not.toContain('notes.json')
  })

  it('has the contact with all that it is known by', () => {
    const contact = plain.json('contact.json')
    expect(contact).toMatchObject({
      id: made.contact,
      organization: 'Acme',
      profile: { name: `Eve ${EVIL}`, telephone: '+31612345678' },
      meta: { tier: 'silver' },
      status: 'active',
      identifiers: [{ service: 'Texts', touchpoint: 'sms', address: 'zqhandle' }],
    })
    expect(plain.json('opt-outs.json')).toMatchObject([{ service: 'Texts', address: '+31612345678' }])
    expect(plain.json('ratings.json')).toMatchObject([{ score: 4, scale: 'five', comment: 'zqrated' }])
    expect(plain.json('history.json').changes).toMatchObject([{ fields: ['meta.tier'], isByContact: false }])
    expect(Array.isArray(plain.json('deliveries.json'))).toBe(true)
  })

  it('is read without a program, in the language of the contact, and nothing in it runs', () => {
    const index = plain.text('index.html')
    expect(index).toContain('Was Acme über Sie speichert')
    expect(index).toContain(`href="conversations/${made.conversation}.html"`)
    const page = plain.text(`conversations/${made.conversation}.html`)
    expect(page).toContain('an answer')
    expect(page).toContain('&lt;script&gt;alert(&#39;x&#39;)')
    for (const [path, bytes] of plain.files)
      if (path.endsWith('.html')) {
        expect(bytes.toString('utf8')).not.toMatch(HTML)
        expect(bytes.toString('utf8')).toContain('content="default-src &#39;none&#39;; style-src')
      }
  })

  it('has the files, each once and by a name that any disk takes', () => {
    const names = plain.names.filter((name) => name.startsWith('files/'))
    expect(names).toHaveLength(5)
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(5)
    expect(names.map((name) => name.slice('files/0000-'.length))).toEqual(
      expect.arrayContaining([
        'x.png',
        'photo.png',
        expect.stringMatching(/^n{100,}\.png$/),
        expect.stringMatching(/^(🎈)+\.png$/u),
      ]),
    )
    for (const name of names) {
      expect(Buffer.byteLength(name.slice('files/'.length))).toBeLessThan(255)
      expect(name).not.toContain('..')
      expect(plain.files.get(name)!.subarray(0, PNG.length)).toEqual(PNG)
    }
    const shown = messagesIn(plain).flatMap(({ file }) => (file === null ? [] : [file as string]))
    expect(shown.toSorted()).toEqual(names.toSorted())
    const page = plain.text(`conversations/${made.conversation}.html`)
    const linked = [...page.matchAll(/href="\.\.\/(files\/[^"]+)"/g)].map(([, href]) => decodeURIComponent(href!))
    expect(linked.toSorted()).toEqual(names.toSorted())
  })

  it('lists its files with their checksums, and what is left out, and why', () => {
    for (const zip of [plain, full]) {
      const manifest = zip.json('manifest.json')
      const listed = manifest.files as { path: string; size: number; sha256: string }[]
      expect(listed.map(({ path }) => path).toSorted()).toEqual(
        zip.names.filter((name) => name !== 'manifest.json').toSorted(),
      )
      for (const { path, size, sha256 } of listed) {
        const bytes = zip.files.get(path)!
        expect([path, bytes.length]).toEqual([path, size])
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
      }
      expect(manifest.attachments).toHaveLength(5)
      for (const each of manifest.attachments) expect(each).toMatchObject({ isMissing: false, isWhole: true })
      expect(Object.keys(manifest.leftOut)).toEqual(expect.arrayContaining(['event', 'participant']))
    }
    expect(plain.json('manifest.json').leftOut).toHaveProperty('contact_note')
  })

  it('is described by its record', async () => {
    const { id, ...shown } = await exports.made(fixture.admin, made.contact)
    expect(shown).toMatchObject({ status: 'READY', contactId: made.contact, notes: false, conversations: 1, files: 5 })
    expect(shown.requestedBy).toEqual({ id: fixture.admin.id })
    expect(shown.messages).toBe(messagesIn(plain).length)
    const bytes = Buffer.from(await (await exports.fetch(shown.url!)).arrayBuffer())
    expect(bytes.length).toBe(shown.size)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(shown.sha256)
    const keptMs = Date.parse(shown.expiresAt!) - Date.parse(shown.createdAt)
    expect(Math.floor(keptMs / 86_400_000)).toBe(7)
    expect((await filesBelow(dataDir)).filter((path) => path.includes('/attachments/exports/'))).toEqual([])
    expect((await filesBelow(dataDir)).some((path) => path.endsWith(id))).toBe(true)
  })
})

describe('the tables of personal data', () => {
  it('are each in an export, or are left out for a reason', () => {
    const personal = Object.entries(PERSONAL_DATA).flatMap(([table, place]) => (place === 'nothing' ? [] : [table]))
    expect(personal.filter((table) => !(table in EXPORTED))).toEqual([])
    expect(Object.keys(EXPORTED).filter((table) => !(table in PERSONAL_DATA))).toEqual([])
  })
})

describe('what an export may meet', () => {
  const said = (text: string) => fixture.create({ messages: [{ role: 'CONTACT', text }] })

  it('is a contact without anything', async () => {
    const { id } = await run<{ id: string }>(
      fixture.admin,
      'mutation { createContact(input: { profile: { name: "Nobody" } }) { id } }',
      {},
    )
    const zip = await exports.opened(fixture.admin, id, true)
    expect(zip.json('deliveries.json')).toEqual([])
    expect(zip.json('notes.json')).toEqual([])
    expect(zip.names.filter((name) => name.startsWith('conversations/'))).toEqual([])
    expect(zip.text('index.html')).toContain('What Acme keeps of you')
  })

  it('is more messages than one page of them', async () => {
    const { id, contactId } = await said('first')
    await sql(
      `insert into message (id, organization_id, org1, created_at, updated_at, conversation_id, position, type, role, text)
       select gen_random_uuid(), $1, $1, now(), now(), $2, 1000 + n, 'text', 'contact', 'number ' || n from generate_series(1, 450) n`,
      [fixture.organization.id, id],
    )
    const zip = await exports.opened(fixture.admin, contactId)
    const texts = zip.json(`conversations/${id}.json`).messages.map(({ text }: { text: string }) => text) as string[]
    const numbered = texts.filter((text) => text?.startsWith('number '))
    expect(numbered).toEqual(Array.from({ length: 450 }, (_, index) => `number ${index + 1}`))
    expect(zip.text(`conversations/${id}.html`)).toContain('number 450')
  })

  it('is a file that is not in the store any more: it is named', async () => {
    const { id, contactId } = await said('with a file')
    const guest = await guestOf(id)
    const [gone, kept] = [await upload(guest, 'gone.png'), await upload(guest, 'kept.png', 'cut')]
    const stored = await filesBelow(dataDir)
    await rm(stored.find((path) => path.endsWith(gone))!)
    const { truncate } = await import('node:fs/promises')
    await truncate(
      stored.find((path) => path.endsWith(kept))!,
      50,
    )
    const zip = await exports.opened(fixture.admin, contactId)
    const attachments = zip.json('manifest.json').attachments as { fileName: string }[]
    expect(attachments.find(({ fileName }) => fileName === 'gone.png')).toMatchObject({ isMissing: true })
    expect(attachments.find(({ fileName }) => fileName === 'kept.png')).toMatchObject({
      isMissing: false,
      isWhole: false,
    })
    expect(zip.names.filter((name) => name.startsWith('files/'))).toHaveLength(1)
    expect(zip.text('index.html')).toContain('gone.png</bdi>: not in the store any more')
  })

  it('is a conversation that was merged into another’s: its copies are there, its own are in its own', async () => {
    const [own, other] = [await said('zqown words'), await said('zqother words')]
    await run(
      fixture.ann,
      'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }',
      {
        id: other.id,
        origin: own.id,
      },
    )
    const mine = await exports.opened(fixture.admin, own.contactId)
    expect(mine.text(`conversations/${own.id}.json`)).toContain('zqown words')
    expect(mine.json('history.json').merges).toMatchObject([{ conversation: own.id }])
    expect([...mine.files.values()].some((file) => file.includes('zqother'))).toBe(false)
    // What is left of it in the other when it is deleted is still the contact's.
    await run(fixture.admin, 'mutation ($id: ID!) { deleteConversation(id: $id) }', { id: own.id })
    const again = await exports.opened(fixture.admin, own.contactId)
    expect(again.json(`conversations/${own.id}.json`)).toMatchObject({ isDeleted: true })
    expect(again.text(`conversations/${own.id}.html`)).toContain('zqown words')
    expect([...again.files.values()].some((file) => file.includes('zqother'))).toBe(false)
  })
})
