import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { v7 } from 'uuid'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { MainProcess } from '../support/main-process.js'
import { until } from '../support/until.js'
import { filesBelow, openZip } from './exports.js'

// A node that dies while it writes an export: the next one begins it anew, or removes what the first has left.
const dataDir = mkdtempSync(join(tmpdir(), 'export-killed-'))

let database: TestDatabase
let outside: pg.Client
let node: MainProcess | undefined
let headers: { authorization: string }
beforeAll(async () => {
  database = await makeDatabase()
  outside = new pg.Client({ connectionString: database.url })
  await outside.connect()
})
afterAll(async () => {
  node?.kill()
  await node?.ended
  await outside?.end()
  await database?.drop()
  await rm(dataDir, { recursive: true })
})

async function start(): Promise<void> {
  node = await MainProcess.start({ DATABASE_URL: database.url, DATA_DIR: dataDir })
  headers = await node.signIn()
}
async function kill(): Promise<void> {
  node!.kill()
  await node!.ended
}
const run = <Data>(query: string, variables: object): Promise<Data> => node!.run<Data>(query, variables, headers)
const begin = async (): Promise<{ contact: string; id: string }> => {
  const { createConversation: made } = await run<{ createConversation: { contactId: string } }>(
    'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { contactId } }',
    {
      input: {
        touchpoint: 'WEB',
        contact: { profile: { name: 'Kim', email: `kim-${v7()}@example.com` } },
        messages: [{ role: 'CONTACT', text: 'zqkilled' }],
      },
    },
  )
  const { exportContact } = await run<{ exportContact: { id: string } }>(
    'mutation ($id: ID!) { exportContact(id: $id) { id } }',
    { id: made.contactId },
  )
  return { contact: made.contactId, id: exportContact.id }
}
const partsOf = async (id: string): Promise<string[]> =>
  (await filesBelow(dataDir)).filter((path) => path.includes(`/exports/${id}/`))
const isStored = async (id: string): Promise<boolean> =>
  (await filesBelow(dataDir)).some((path) => path.endsWith(`/${id}`))

it('is written by the next node when the first dies half way', async () => {
  await start()
  await outside.query('begin')
  await outside.query('lock table rating in access exclusive mode')
  const { id } = await begin()
  const [left] = await until(
    () => partsOf(id),
    (parts) => parts.length > 0,
  )
  await kill()
  expect(await partsOf(id)).toEqual([left])
  await outside.query('commit')
  await start()
  const ready = await until(
    async () =>
      (
        await run<{ contactExport: { status: string; url: string } }>(
          'query ($id: ID!) { contactExport(id: $id) { status url } }',
          { id },
        )
      ).contactExport,
    ({ status }) => status === 'READY',
  )
  expect(await partsOf(id)).toEqual([])
  const { pathname, search } = new URL(ready.url)
  const response = await fetch(node!.url + pathname + search)
  expect((await openZip(Buffer.from(await response.arrayBuffer()))).text('index.html')).toContain('Kim')
})

it('leaves nothing when the first dies between the bytes and the record, and the contact is erased', async () => {
  await outside.query('begin')
  await outside.query('lock table rating in access exclusive mode')
  const { id, contact } = await begin()
  await until(
    () => partsOf(id),
    (parts) => parts.length > 0,
  )
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  // Its bytes will be stored, and its record waits.
  await other.query('begin')
  await other.query('select from contact_export where id = $1 for update', [id])
  await outside.query('commit')
  await until(() => isStored(id))
  await kill()
  await other.query('rollback')
  await outside.query('update contact set erasing_at = now() where id = $1', [contact])
  await outside.query('delete from contact_export where id = $1', [id])
  await other.end()
  await start()
  await until(async () => !(await isStored(id)))
  expect(await partsOf(id)).toEqual([])
})
