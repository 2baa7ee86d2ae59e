import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseS3Url } from '../../src/modules/attachments/s3-store.js'
import type { MadeUser } from '../support/factories.js'
import { startObjectStore, type ObjectStore } from '../support/object-store.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

describe('S3_URL', () => {
  it('names a bucket, keys and a region', () => {
    expect(parseS3Url('https://k%2F:s%2B@s3.example:9000/bucket/a/?region=eu-west-1')).toEqual({
      accessKey: 'k/',
      secretKey: 's+',
      region: 'eu-west-1',
      base: 'https://s3.example:9000/bucket/a',
    })
    expect(parseS3Url('http://k:s@localhost/b')).toMatchObject({ region: 'us-east-1', base: 'http://localhost/b' })
  })

  it.each(['https://s3.example/bucket', 'https://k:s@s3.example/', 'https://k@s3.example/bucket'])(
    'is not %s',
    (url) => {
      expect(() => parseS3Url(url)).toThrow('S3_URL must have an access key, a secret key and a bucket')
    },
  )
})

describe('attachments in a bucket', () => {
  const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(300_000, 1)])

  let app: TestServer
  let store: ObjectStore
  let dataDir: string
  let admin: MadeUser

  beforeAll(async () => {
    store = await startObjectStore(() => app.clock.now())
    dataDir = await mkdtemp(join(tmpdir(), 's3-'))
    app = await startTestServer({ DATA_DIR: dataDir, S3_URL: store.url })
    admin = await app.makeUser({ organization: await app.makeOrganization(), role: 'admin' })
  })
  afterAll(async () => {
    await app.close()
    await store.close()
    await rm(dataDir, { recursive: true })
  })
  beforeEach(() => {
    store.objects.clear()
    store.requests.length = 0
  })

  interface Uploaded {
    status: number
    body: { id: string; url: string; message?: string; code?: string }
  }

  async function upload(): Promise<Uploaded> {
    const form = new FormData()
    form.append('file', new Blob([PNG]), 'a.png')
    const response = await fetch(`${app.url}/v2/attachments`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${await app.tokenFor(admin)}` },
    })
    return { status: response.status, body: (await response.json()) as never }
  }

  async function download(link: string): Promise<{ status: number; bytes: Buffer }> {
    const { pathname, search } = new URL(link)
    const response = await fetch(`${app.url}${pathname}${search}`)
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  async function expectNothingOnDisk(): Promise<void> {
    await until(async () => (await readdir(join(dataDir, 'attachments', 'incoming'))).length === 0)
    expect(await readdir(join(dataDir, 'attachments'))).toEqual(['incoming'])
  }

  it('are objects named by their ids, read and removed through the server', async () => {
    const { status, body } = await upload()
    expect(status).toBe(201)
    const path = `/bucket/some%20prefix/${body.id}`
    expect(store.objects.get(path)).toEqual({ bytes: PNG, type: 'image/png' })
    await expectNothingOnDisk()
    expect(await download(body.url)).toEqual({ status: 200, bytes: PNG })
    expect((await app.rest(admin, 'DELETE', `/v2/attachments/${body.id}`)).status).toBe(204)
    await until(() => store.objects.size === 0)
    expect(store.requests).toEqual([`PUT ${path}`, `GET ${path}`, `DELETE ${path}`])
  })

  // [7 503, 503 then]
  it('are refused while the store is unavailable, and nothing remains', async () => {
    store.fail(503, 1)
    const { status, body } = await upload()
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE'])
    await expectNothingOnDisk()
    expect((await upload()).status).toBe(201)
  })

  it('answer an error of the store without revealing it', async () => {
    store.fail(403, 1)
    const { status, body } = await upload()
    const message = 'the store of attachments is temporarily unavailable; retry'
    expect([status, body.code, body.message]).toEqual([503, 'UNAVAILABLE', message])
    await expectNothingOnDisk()
  })

  it('are removed eventually, even if the store was unavailable at the deletion', async () => {
    const { body } = await upload()
    store.fail(500, 1)
    expect((await app.rest(admin, 'DELETE', `/v2/attachments/${body.id}`)).status).toBe(204)
    await until(() => store.objects.size === 0)
  })

  it('cannot be read while the store is unavailable', async () => {
    const { body } = await upload()
    await store.close()
    expect((await download(body.url)).status).toBe(503)
    expect((await upload()).status).toBe(503)
    await expectNothingOnDisk()
  })
})
