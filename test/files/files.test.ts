import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEvents } from '../../src/platform/events/streams.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

const PDF = Buffer.from('%PDF-1.7\nall of it')

let app: TestServer
let dataDir: string
let customer: MadeOrganization
let branch: MadeOrganization
let centerAdmin: MadeUser
let admin: MadeUser
let bot: MadeUser
let agent: MadeUser
let rivalAdmin: MadeUser

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'files-'))
  app = await startTestServer({ DATA_DIR: dataDir })
  const center = await app.makeOrganization()
  customer = await app.makeOrganization({ parent: center, name: 'Customer' })
  branch = await app.makeOrganization({ parent: customer, name: 'Branch' })
  const rival = await app.makeOrganization({ parent: center, name: 'Rival' })
  await app.server.database.query(`update organization set tags = '{partners}' where id = $1`, [rival.id])
  centerAdmin = await app.makeUser({ organization: center, role: 'admin' })
  admin = await app.makeUser({ organization: customer, role: 'admin' })
  bot = await app.makeUser({ organization: customer, role: 'bot' })
  agent = await app.makeUser({ organization: customer })
  rivalAdmin = await app.makeUser({ organization: rival, role: 'admin' })
})
afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})

const FIELDS = `id organizationId name url attachmentId attachment { id fileName } fileType size downloadUrl tags
  isShared createdAt updatedAt`

interface FileData {
  id: string
  downloadUrl: string
  [key: string]: unknown
}

const create = (as: MadeUser, input: object) =>
  app.gql<{ createFile: FileData }>(
    as,
    `mutation ($input: CreateFileInput!) { createFile(input: $input) { ${FIELDS} } }`,
    { input },
  )
const update = (as: MadeUser, id: string, patch: object) =>
  app.gql<{ updateFile: FileData }>(
    as,
    `mutation ($id: ID!, $patch: UpdateFileInput!) { updateFile(id: $id, patch: $patch) { ${FIELDS} } }`,
    { id, patch },
  )
const fetched = (as: MadeUser, id: string) =>
  app.gql<{ file: FileData }>(as, `query ($id: ID!) { file(id: $id) { ${FIELDS} } }`, { id })
const remove = (as: MadeUser, id: string) => app.gql(as, 'mutation ($id: ID!) { deleteFile(id: $id) }', { id })

async function made(input: object, as = bot): Promise<FileData> {
  const { data, errors } = await create(as, input)
  expect(errors).toBeUndefined()
  return data.createFile
}

async function attachment(as: MadeUser = agent, organization = as.organization): Promise<string> {
  const form = new FormData()
  form.append('organization', organization.id)
  form.append('file', new Blob([PDF]), 'terms.pdf')
  const response = await fetch(`${app.url}/v2/attachments`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${await app.tokenFor(as)}` },
  })
  return ((await response.json()) as { id: string }).id
}

async function read(url: string): Promise<string> {
  const { pathname, search } = new URL(url)
  return (await fetch(`${app.url}${pathname}${search}`)).text()
}

describe('a file (2.11)', () => {
  it('is an attachment, with its type, size and a link to it', async () => {
    const id = await attachment()
    const file = await made({ name: 'Terms', attachment: id, fileType: 'text/html', size: 1 })
    expect(file).toMatchObject({
      organizationId: customer.id,
      name: 'Terms',
      url: null,
      attachmentId: id,
      attachment: { id, fileName: 'terms.pdf' },
      fileType: 'application/pdf',
      size: PDF.length,
      tags: [],
      isShared: false,
    })
    expect(await read(file.downloadUrl)).toBe(PDF.toString())
    expect((await fetched(agent, file.id)).data.file).toEqual(file)
  })

  it("may be stored elsewhere, with its author's metadata", async () => {
    const url = 'https://cdn.example/a.zip'
    const file = await made({ name: 'Archive', url, fileType: 'Application/ZIP', size: 5 })
    expect(file).toMatchObject({
      url,
      downloadUrl: url,
      attachmentId: null,
      attachment: null,
      fileType: 'application/zip',
      size: 5,
    })
  })

  it('has one content, which a patch can replace but not remove', async () => {
    const id = await attachment()
    const file = await made({ name: 'A', url: 'https://cdn.example/a', fileType: 'a/b', size: 5 })
    expect((await update(bot, file.id, { name: 'B' })).data.updateFile).toMatchObject({
      name: 'B',
      url: 'https://cdn.example/a',
      size: 5,
    })
    expect((await update(bot, file.id, { fileType: null })).data.updateFile).toMatchObject({ fileType: null, size: 5 })
    const attached = (await update(bot, file.id, { attachment: id, url: null })).data.updateFile
    expect(attached).toMatchObject({ url: null, attachmentId: id, fileType: 'application/pdf', size: PDF.length })
    expect((await update(bot, file.id, { url: null })).data.updateFile).toMatchObject({ attachmentId: id })
    expect((await update(bot, file.id, { attachment: null })).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'url',
    })
    const elsewhere = (await update(bot, file.id, { url: 'https://cdn.example/b' })).data.updateFile
    expect(elsewhere).toMatchObject({ url: 'https://cdn.example/b', attachmentId: null, fileType: null, size: null })
    expect((await update(bot, file.id, { url: null })).errors?.[0]?.extensions.field).toBe('url')
  })

  it.each([
    [{}, 'url'],
    [{ url: 'ftp://x.example/a' }, 'url'],
    [{ url: 'https://x.example/a', fileType: 'zip' }, 'fileType'],
    [{ url: 'https://x.example/a', size: -1 }, 'size'],
    [{ url: 'https://x.example/a', name: '' }, 'name'],
    [{ url: 'https://x.example/a', attachment: '01890000-0000-7000-8000-000000000001' }, 'attachment'],
  ])('refuses %j, naming %s', async (input, field) => {
    const { errors } = await create(bot, { name: 'F', ...input })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field })
  })

  it('offers no upload of another tenant, nor of an unrelated customer', async () => {
    const foreign = await attachment(rivalAdmin)
    for (const [who, organization] of [
      [bot, undefined],
      [centerAdmin, customer.id],
    ] as const) {
      const { errors } = await create(who, { name: 'F', attachment: foreign, organization })
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', field: 'attachment' })
    }
    const below = await attachment(admin, branch)
    expect(await made({ name: 'Below', attachment: below })).toMatchObject({ attachmentId: below })
  })

  it('keeps its attachment from being deleted, and leaves it when it goes itself', async () => {
    const id = await attachment()
    const file = await made({ name: 'Keeper', attachment: id })
    const removeAttachment = () => app.gql(admin, 'mutation ($id: ID!) { deleteAttachment(id: $id) }', { id })
    expect((await removeAttachment()).errors?.[0]?.extensions).toMatchObject({ code: 'UNPROCESSABLE', file: file.id })
    expect((await remove(admin, file.id)).data.deleteFile).toBe(file.id)
    const events = await readEvents(app.server.database, `organization:${customer.id}`, 0, 1_000)
    expect(events.filter(({ data }) => data.id === file.id).map(({ type }) => type)).toEqual([
      'file.created',
      'file.deleted',
    ])
    expect((await removeAttachment()).data.deleteAttachment).toBe(id)
  })

  it('is read by agents, written by bots, deleted by administrators', async () => {
    const { id } = await made({ name: 'Scoped', url: 'https://x.example' })
    const refused = [
      await create(agent, { name: 'No', url: 'https://x.example' }),
      await update(agent, id, {}),
      await remove(agent, id),
      await remove(bot, id),
    ]
    for (const { errors } of refused) expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    for (const { errors } of [
      await fetched(rivalAdmin, id),
      await update(rivalAdmin, id, {}),
      await remove(rivalAdmin, id),
    ]) {
      expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    }
  })

  it('that is shared is read by its link, while its attachment stays private (4.3)', async () => {
    const id = await attachment()
    const file = await made({ name: 'Shared', attachment: id })
    await update(centerAdmin, file.id, { tags: ['partners'] })
    const shared = (await fetched(rivalAdmin, file.id)).data.file
    expect(shared).toMatchObject({ isShared: true, attachmentId: id, attachment: null })
    expect(await read(shared.downloadUrl)).toBe(PDF.toString())
    expect((await update(rivalAdmin, file.id, { name: 'Mine' })).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    const list = await app.gql(rivalAdmin, '{ files { edges { node { id } } } }')
    expect(list.data.files.edges).toEqual([{ node: { id: file.id } }])
  })

  it('is listed, filtered, changed and deleted in /v2', async () => {
    const id = await attachment()
    const { status, body } = await app.rest(bot, 'POST', '/v2/files', { name: 'REST', attachment: id })
    expect([status, body]).toEqual([
      201,
      {
        id: body.id,
        organization: customer.id,
        name: 'REST',
        attachment: id,
        fileType: 'application/pdf',
        size: PDF.length,
        downloadUrl: body.downloadUrl,
        tags: [],
        isShared: false,
        createdAt: body.createdAt,
        updatedAt: body.createdAt,
      },
    ])
    expect((await app.rest(agent, 'GET', `/v2/files?attachment=${id}`)).body).toEqual([body])
    expect((await app.rest(agent, 'GET', '/v2/files?size=>1&fileType=application/pdf&name=REST')).body).toEqual([body])
    const populated = await app.rest(agent, 'GET', `/v2/files/${body.id}?populate=attachment`)
    expect(populated.body.attachment).toMatchObject({ id, fileName: 'terms.pdf' })
    expect((await app.rest(bot, 'PATCH', `/v2/files/${body.id}`, { name: 'Renamed' })).body.name).toBe('Renamed')
    expect((await app.rest(admin, 'DELETE', `/v2/files/${body.id}`)).status).toBe(204)
  })
})
