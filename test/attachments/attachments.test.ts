import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UploadDisk } from '../../src/modules/attachments/upload-disk.js'
import { UploadSpool } from '../../src/modules/attachments/upload-spool.js'
import { FairQueue } from '../../src/platform/fairness/fair-queue.js'
import { DISK_LIMITS } from '../../src/platform/fairness/shares.js'
import { readEvents } from '../../src/platform/events/streams.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const BYTES_MAX = 200_000
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(5_000, 7)])
const PDF = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj <</JS (app.alert(1))>> endobj', 'latin1')

let app: TestServer
let dataDir: string
let customer: MadeOrganization
let branch: MadeOrganization
let admin: MadeUser
let agent: MadeUser
let rivalAdmin: MadeUser

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'attachments-'))
  app = await startTestServer({ DATA_DIR: dataDir, ATTACHMENT_BYTES_MAX: String(BYTES_MAX) })
  const center = await app.makeOrganization()
  customer = await app.makeOrganization({ parent: center, name: 'Customer' })
  branch = await app.makeOrganization({ parent: customer, name: 'Branch' })
  const rival = await app.makeOrganization({ parent: center, name: 'Rival' })
  admin = await app.makeUser({ organization: customer, role: 'admin' })
  agent = await app.makeUser({ organization: customer })
  rivalAdmin = await app.makeUser({ organization: rival, role: 'admin' })
})
afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})

interface Uploaded {
  status: number
  // The tests state what they expect of it.
  body: any // oxlint-disable-line typescript/no-explicit-any
  headers: Headers
}

interface UploadOptions {
  name?: string
  type?: string
  fields?: Record<string, string>
  headers?: Record<string, string>
}

async function upload(as: MadeUser | string, content: Uint8Array, options: UploadOptions = {}): Promise<Uploaded> {
  const form = new FormData()
  form.append(
    'file',
    new Blob([new Uint8Array(content)], { type: options.type ?? 'image/png' }),
    options.name ?? 'photo.png',
  )
  for (const [key, value] of Object.entries(options.fields ?? {})) form.append(key, value)
  return send(as, form, options.headers)
}

async function send(
  as: MadeUser | string,
  form: FormData | string,
  headers: Record<string, string> = {},
): Promise<Uploaded> {
  const token = typeof as === 'string' ? as : await app.tokenFor(as)
  const response = await fetch(`${app.url}/v2/attachments`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  return { status: response.status, body: await response.json(), headers: response.headers }
}

async function uploaded(as: MadeUser | string = agent, content: Uint8Array = PNG, options?: UploadOptions) {
  const { status, body } = await upload(as, content, options)
  expect([status, body.message]).toEqual([201, undefined])
  return body as { id: string; url: string; organization: string }
}

/** The link names the server's public address; the test's server listens elsewhere. */
const linkOf = (url: string): string => `${app.url}${new URL(url).pathname}${new URL(url).search}`

async function filesOnDisk(): Promise<{ incoming: number; kept: number }> {
  const entries = await readdir(join(dataDir, 'attachments'), { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const incoming = files.filter(({ parentPath }) => parentPath.endsWith('incoming')).length
  return { incoming, kept: files.length - incoming }
}

describe('an upload', () => {
  // [4.7 attachments]
  it('is stored with the type of its content, and read by its link', async () => {
    const { status, body } = await upload(agent, PNG, { name: 'été.png', type: 'text/html' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: body.id,
      organization: customer.id,
      fileName: 'été.png',
      fileType: 'image/png',
      size: PNG.length,
      sha256: createHash('sha256').update(PNG).digest('hex'),
      tags: [],
      user: agent.id,
      url: body.url,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: body.createdAt,
    })
    const response = await fetch(linkOf(body.url))
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-disposition': `inline; filename="_t_.png"; filename*=UTF-8''%C3%A9t%C3%A9.png`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=86400, immutable',
    })
    const again = await fetch(linkOf(body.url), { headers: { 'if-none-match': response.headers.get('etag')! } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await fetch(linkOf(body.url), { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'image/png', ''])
    expect((await app.rest(agent, 'GET', `/v2/attachments/${body.id}`)).body).toEqual(body)
  })

  it('of a document is downloaded, not displayed', async () => {
    const { body } = await upload(agent, PDF, { name: 'a.pdf' })
    const response = await fetch(linkOf(body.url))
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment;/)
    await response.arrayBuffer()
  })

  it('requires permission to send messages', async () => {
    const viewer = await app.makeUser({ organization: customer, role: 'viewer' })
    expect((await upload(viewer, PNG)).status).toBe(201)
    expect((await upload('', PNG)).status).toBe(401)
    expect((await upload('no.token.this', PNG)).status).toBe(401)
  })

  it('goes to an organization that the caller sees, wherever the field is in the body', async () => {
    expect((await uploaded(agent, PNG, { fields: { organization: branch.id } })).organization).toBe(branch.id)
    const form = new FormData()
    form.append('organization', branch.id)
    form.append('file', new Blob([PNG]), 'x.png')
    expect((await send(agent, form)).body.organization).toBe(branch.id)
    const { status, body } = await upload(rivalAdmin, PNG, { fields: { organization: customer.id } })
    expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('is stored once for an idempotency key', async () => {
    const headers = { 'idempotency-key': 'upload-1' }
    const first = await upload(agent, PNG, { headers })
    const kept = (await filesOnDisk()).kept
    expect(await upload(agent, PNG, { headers })).toMatchObject({ status: 201, body: first.body })
    expect((await upload(agent, PDF, { headers, name: 'photo.pdf' })).status).toBe(422)
    expect(
      await until(
        () => filesOnDisk(),
        ({ incoming }) => incoming === 0,
      ),
    ).toEqual({ incoming: 0, kept })
  })

  it('emits an event without its link to the organization’s stream', async () => {
    const { id } = await uploaded()
    const events = await readEvents(app.server.database, `organization:${customer.id}`, 0, 1_000)
    const mine = events.filter(({ data }) => data.id === id)
    expect(mine).toMatchObject([
      {
        type: 'attachment.created',
        data: { organization: customer.id, fileType: 'image/png' },
      },
    ])
    expect(JSON.stringify(mine)).not.toContain('signature')
  })
})

describe('a refused upload stores nothing', () => {
  let before: { incoming: number; kept: number }

  beforeEach(async () => {
    before = await filesOnDisk()
  })

  async function expectNothing(): Promise<void> {
    await until(async () => (await filesOnDisk()).incoming === 0)
    expect(await filesOnDisk()).toEqual({ ...before, incoming: 0 })
  }

  it.each([
    ['HTML called an image', Buffer.from('<!doctype html><script>alert(1)</script>'), /must be one of image\/png/],
    [
      'SVG, which can hold scripts',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
      /must be one of/,
    ],
    ['a short text', Buffer.from('hi'), /must be one of/],
    ['nothing', Buffer.alloc(0), /empty/],
    [
      'a byte too many',
      Buffer.concat([PNG, Buffer.alloc(BYTES_MAX + 1 - PNG.length)]),
      /larger than the limit of 200000 bytes/,
    ],
    ['far too much', Buffer.concat([PNG, Buffer.alloc(5_000_000)]), /larger than the limit of 200000 bytes/],
  ])('%s', async (_, content, message) => {
    const { status, body } = await upload(agent, content)
    expect([status, body.code, body.field]).toEqual([400, 'BAD_USER_INPUT', 'file'])
    expect(body.message).toMatch(message)
    await expectNothing()
  })

  it('but the largest allowed one is accepted', async () => {
    const { body } = await upload(agent, Buffer.concat([PNG, Buffer.alloc(BYTES_MAX - PNG.length)]))
    expect(body.size).toBe(BYTES_MAX)
  })

  it('two files, no file, a strange field', async () => {
    const two = new FormData()
    two.append('file', new Blob([PNG]), 'a.png')
    two.append('file', new Blob([PNG]), 'b.png')
    expect((await send(agent, two)).status).toBe(413)
    const none = new FormData()
    none.append('organization', customer.id)
    expect((await send(agent, none)).body).toMatchObject({ code: 'BAD_USER_INPUT', field: 'file' })
    const strange = await upload(agent, PNG, { fields: { colour: 'red' } })
    expect([strange.status, strange.body.field]).toEqual([400, 'colour'])
    const proto = await upload(agent, PNG, { fields: { __proto__x: 'a', constructor: 'b' } })
    expect(proto.status).toBe(400)
    await expectNothing()
  })

  it('a body that is not multipart', async () => {
    const json = await send(agent, '{}', { 'content-type': 'application/json' })
    expect([json.status, json.body.field]).toEqual([400, 'file'])
    expect((await send(agent, 'x', { 'content-type': 'text/plain' })).status).toBe(415)
    const form = (body: string) => send(agent, body, { 'content-type': 'multipart/form-data; boundary=b' })
    const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
    for (const body of ['', 'nonsense', part, `${part}${PNG.toString('latin1')}`, `${part}\r\n--b--`]) {
      const { status, body: answer } = await form(body)
      expect([status, answer.code]).toEqual([400, 'BAD_USER_INPUT'])
    }
    expect((await send(agent, 'x', { 'content-type': 'multipart/form-data' })).status).toBe(400)
    await expectNothing()
  })

  it('one for an unknown organization', async () => {
    expect((await upload(agent, PNG, { fields: { organization: app.clock.newId() } })).status).toBe(404)
    await expectNothing()
  })

  it('one whose connection is closed midway', async () => {
    const token = await app.tokenFor(agent)
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
    socket.write(
      `POST /v2/attachments HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n` +
        `content-length: 150000\r\ncontent-type: multipart/form-data; boundary=b\r\n\r\n${part}`,
    )
    socket.write(PNG)
    await until(async () => (await filesOnDisk()).incoming === 1)
    socket.destroy()
    await expectNothing()
    const rows = await app.server.database.query<{ count: number }>('select count(*) as count from attachment')
    expect(rows[0]!.count).toBe(before.kept)
  })
})

describe('a folder that cannot be written', () => {
  it('is said at the start, with a database of its own or another', async () => {
    const file = join(dataDir, 'a-file')
    await writeFile(file, 'x')
    await expect(startTestServer({ DATA_DIR: file })).rejects.toThrow(/^DATA_DIR .*a-file cannot be made \(EEXIST\)/)
  })

  it('is said to whoever uploads, and uploads work again once it can be', async () => {
    const folder = join(dataDir, 'attachments')
    await rename(folder, `${folder}-away`)
    await writeFile(folder, 'x')
    let refused
    try {
      refused = await upload(agent, PNG)
    } finally {
      await rm(folder)
      await rename(`${folder}-away`, folder)
    }
    expect([refused.status, refused.body.code, refused.headers.has('retry-after')]).toEqual([503, 'UNAVAILABLE', true])
    await uploaded()
  })
})

describe('uploads of a dead process', () => {
  it('are removed at the next start, except for uploads in progress on another node', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'spool-'))
    const [old, young, other] = ['old.part', 'young.part', 'other'].map((name) => join(directory, name))
    for (const path of [old!, young!, other!]) await writeFile(path, 'x')
    const hourAgo = new Date(Date.now() - 3_600_000)
    for (const path of [old!, other!]) await utimes(path, hourAgo, hourAgo)
    const disk = new UploadDisk(new FairQueue({ name: 'disk', limits: DISK_LIMITS }))
    await new UploadSpool(directory, 1, disk).sweep()
    expect((await readdir(directory)).toSorted()).toEqual(['other', 'young.part'])
    await rm(directory, { recursive: true })
    await new UploadSpool(directory, 1, disk).sweep()
    await expect(stat(directory)).rejects.toThrow('ENOENT')
  })

  it("are removed by the server's maintenance", async () => {
    const directory = await mkdtemp(join(tmpdir(), 'attachments-start-'))
    await mkdir(join(directory, 'attachments', 'incoming'), { recursive: true })
    const left = join(directory, 'attachments', 'incoming', 'left.part')
    await writeFile(left, 'x')
    await utimes(left, new Date(0), new Date(0))
    const other = await startTestServer({ DATA_DIR: directory })
    await expect(stat(left)).rejects.toThrow('ENOENT')
    await other.close()
    await rm(directory, { recursive: true })
  })
})

describe('a link', () => {
  it('is required, complete and unmodified', async () => {
    const { id, url } = await uploaded()
    const other = await uploaded()
    const { search } = new URL(url)
    for (const path of [
      `${id}/photo.png`,
      `${other.id}/photo.png${search}`,
      `${id}/photo.png${search}x`,
      `nothing/x${search}`,
    ]) {
      const { status, body } = await app.rest(admin, 'GET', `/v2/attachments/${path}`)
      expect([status, body.message]).toEqual([403, 'the link is invalid'])
    }
  })

  it('is refused with a changed, shortened or repeated expiry, and returns the whole file for any range', async () => {
    const { url, id } = await uploaded()
    const { pathname, searchParams } = new URL(url)
    const [expires, signature] = [searchParams.get('expires')!, searchParams.get('signature')!]
    for (const search of [
      `expires=${Number(expires) + 3_600}&signature=${signature}`,
      `expires=${expires}0&signature=${signature}`,
      `expires=${expires}&expires=9999999999&signature=${signature}`,
      `expires=${expires}&signature=${signature}&signature=${signature}`,
      `expires=${expires}.5&signature=${signature}`,
      `expires=-1&signature=${signature}`,
      `expires=${expires}&signature=${signature.toLowerCase()}`,
      `expires=${expires}&signature=`,
      `signature=${signature}`,
    ]) {
      const { status } = await app.rest(null, 'GET', `${pathname}?${search}`)
      expect([search, status]).toEqual([search, 403])
    }
    for (const range of [
      'bytes=0-0',
      'bytes=5-2',
      `bytes=${Array(500).fill('0-9').join(',')}`,
      'bytes=-999999999999',
    ]) {
      const response = await fetch(linkOf(url), { headers: { range } })
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, PNG.length])
    }
    const upward = await app.rest(null, 'GET', `/v2/attachments/..%2f${id}/x?${searchParams.toString()}`)
    expect(upward.status).toBe(403)
  })

  it('expires', async () => {
    const { url } = await uploaded()
    const ended = 7 * 86_400_000 + 3_600_000
    app.clock.advance(ended)
    const { status, body } = await app.rest(null, 'GET', new URL(url).pathname + new URL(url).search)
    app.clock.advance(-ended)
    expect([status, body.message]).toEqual([403, 'the link has expired; request the attachment again'])
  })

  it('counts as a request of its address (section 8)', async () => {
    const { url } = await uploaded()
    const response = await fetch(linkOf(url))
    expect(response.headers.get('ratelimit-policy')).toContain('"address"')
    await response.arrayBuffer()
  })
})

describe('an attachment', () => {
  const FIELDS = `id organizationId organization { name } fileName fileType size sha256 tags url
    userId user { displayName } contactId`
  const fetched = (as: MadeUser | string, id: string) =>
    app.gql(as, `query ($id: ID!) { attachment(id: $id) { ${FIELDS} } }`, { id })
  const remove = (as: MadeUser, id: string) => app.gql(as, 'mutation ($id: ID!) { deleteAttachment(id: $id) }', { id })

  // [2.11 tags of attachments]
  it('is fetched, found, renamed and tagged', async () => {
    const { id, url } = await uploaded(agent, PDF, { name: 'b.pdf' })
    expect((await fetched(agent, id)).data.attachment).toMatchObject({
      id,
      organization: { name: 'Customer' },
      fileName: 'b.pdf',
      fileType: 'application/pdf',
      size: PDF.length,
      url,
      userId: agent.id,
      user: { displayName: 'The agent' },
      contactId: null,
    })
    const patched = await app.rest(admin, 'PATCH', `/v2/attachments/${id}`, { fileName: '../c.html', tags: ['found'] })
    expect([patched.status, patched.body.fileName, patched.body.tags]).toEqual([200, 'c.html.pdf', ['found']])
    expect((await app.rest(agent, 'GET', '/v2/attachments?tags=found&fileType=application/pdf')).body).toEqual([
      patched.body,
    ])
    expect((await app.rest(admin, 'PATCH', `/v2/attachments/${id}`, { fileName: null })).status).toBe(400)
    expect((await app.rest(admin, 'PATCH', `/v2/attachments/${id}`, { size: 1 })).body.size).toBe(PDF.length)
  })

  it('is deleted with its bytes, and its link is invalid afterwards', async () => {
    const { id, url } = await uploaded()
    const { kept } = await filesOnDisk()
    expect((await remove(agent, id)).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    expect((await remove(admin, id)).data.deleteAttachment).toBe(id)
    const gone = await fetch(linkOf(url))
    expect(gone.status).toBe(404)
    await gone.arrayBuffer()
    await until(async () => (await filesOnDisk()).kept === kept - 1)
  })

  it("is not found by another tenant's administrator", async () => {
    const { id } = await uploaded()
    const update = await app.gql(
      rivalAdmin,
      'mutation ($id: ID!) { updateAttachment(id: $id, patch: { tags: ["x"] }) { id } }',
      { id },
    )
    for (const { errors } of [await fetched(rivalAdmin, id), update, await remove(rivalAdmin, id)]) {
      expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    }
    const list = await app.gql(rivalAdmin, '{ attachments { totalCount } }')
    expect(list.data.attachments.totalCount).toBe(0)
  })

  it('has all methods of its path in Allow', async () => {
    const list = await app.rest(admin, 'PUT', '/v2/attachments', {})
    expect([list.status, list.headers.get('allow')!.split(', ').toSorted()]).toEqual([405, ['GET', 'HEAD', 'POST']])
  })

  it('has its upload and download in the OpenAPI document', async () => {
    const { body } = await app.rest(null, 'GET', '/v2/openapi.json')
    expect(Object.keys(body.paths['/v2/attachments']).toSorted()).toEqual(['get', 'post'])
    expect(body.paths['/v2/attachments'].post.requestBody.content).toHaveProperty('multipart/form-data')
    expect(body.components.schemas).toHaveProperty('Attachment')
    expect(body.paths['/v2/attachments/{id}/{name}'].get.security).toEqual([])
  })
})

describe('a consumer of the web widget', () => {
  async function makeGuest(): Promise<{ token: string; contact: string; conversation: string }> {
    const { data, errors } = await app.gql(
      admin,
      `mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id contact { id } } }`,
      { input: { contact: { profile: { name: 'Jo', email: `jo-${app.clock.newId()}@example.com` } } } },
    )
    expect(errors).toBeUndefined()
    const { id: conversation, contact } = data.createConversation
    const made = await app.gql(admin, 'mutation ($c: ID!) { createGuestToken(conversation: $c) { token } }', {
      c: conversation,
    })
    return { token: made.data.createGuestToken.token, contact: contact.id, conversation }
  }

  it('uploads to its organization only, and lists nothing', async () => {
    const { token, contact } = await makeGuest()
    const mine = await uploaded(token)
    expect(mine).toMatchObject({ organization: customer.id })
    expect(mine).not.toHaveProperty('user')
    const { data } = await app.gql(admin, 'query ($id: ID!) { attachment(id: $id) { contactId userId } }', {
      id: mine.id,
    })
    expect(data.attachment).toEqual({ contactId: contact, userId: null })
    expect((await upload(token, PNG, { fields: { organization: branch.id } })).status).toBe(403)
    expect((await app.rest(token, 'GET', `/v2/attachments/${mine.id}`)).status).toBe(403)
    expect((await app.rest(token, 'GET', '/v2/attachments')).status).toBe(403)
  })

  it('has its uploads deleted when it is deleted', async () => {
    const { token, contact, conversation } = await makeGuest()
    const { id, url } = await uploaded(token)
    const { kept } = await filesOnDisk()
    await app.server.database.query(`update conversation set status = 'closed' where id = $1`, [conversation])
    expect(
      (await app.gql(admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id: contact })).errors,
    ).toBeUndefined()
    await until(async () => (await filesOnDisk()).kept === kept - 1)
    await until(async () => {
      const response = await fetch(linkOf(url))
      await response.arrayBuffer()
      return response.status === 404
    })
    expect(
      (await app.gql(admin, 'query ($id: ID!) { attachment(id: $id) { id } }', { id })).errors?.[0]?.extensions.code,
    ).toBe('NOT_FOUND')
  })
})
