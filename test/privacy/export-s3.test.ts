import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { startObjectStore, type ObjectStore } from '../support/object-store.js'
import { until } from '../support/until.js'
import { PNG, uploadImage } from '../support/upload-image.js'
import { Exports, filesBelow } from './exports.js'

// Exports where attachments are in a bucket.
const dataDir = mkdtempSync(join(tmpdir(), 'export-s3-'))

let fixture: ConversationFixture
let store: ObjectStore
let exports: Exports
beforeAll(async () => {
  store = await startObjectStore(() => fixture.clock.now())
  fixture = await startConversationFixture({ DATA_DIR: dataDir, S3_URL: store.url })
  exports = new Exports(fixture)
})
afterAll(async () => {
  await fixture?.close()
  await store?.close()
  await rm(dataDir, { recursive: true })
})

it('is an object of the bucket, which goes with the contact; nothing stays on the disk', async () => {
  const { id, contactId } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'in a bucket' }] })
  const file = await uploadImage(fixture, await fixture.tokenFor(fixture.ann), { name: 'photo.png' })
  const { id: fileId } = (await file.json()) as { id: string }
  await fixture.send(fixture.ann, id, { role: 'AGENT', meta: { fileId } })
  // A store that is away for a moment: it is tried again.
  store.fail(503, 1)
  const ready = await exports.made(fixture.admin, contactId)
  const zip = await exports.opened(fixture.admin, contactId)
  expect(zip.files.get('files/0001-photo.png')).toEqual(PNG)
  const isStored = (): boolean => [...store.objects.keys()].some((key) => key.endsWith(`/${ready.id}`))
  expect(isStored()).toBe(true)
  expect((await filesBelow(dataDir)).filter((path) => path.includes('/exports/'))).toEqual([])
  await fixture.run(fixture.admin, 'mutation ($id: ID!) { eraseContact(id: $id, reason: REQUESTED) { id } }', {
    id: contactId,
  })
  await until(() => !isStored())
})
