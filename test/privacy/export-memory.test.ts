import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import pg from 'pg'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { MainProcess } from '../support/main-process.js'
import { until } from '../support/until.js'

const MESSAGES = 10_000
const FILES = 100
const FILE_BYTES = 1_048_576
/** Growth by an export, with what V8 leaves lying about meanwhile. */
const GROWTH_MB_MAX = 64

const dataDir = mkdtempSync(join(tmpdir(), 'export-memory-'))

let database: TestDatabase
let outside: pg.Client
let node: MainProcess | undefined
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

const memoryOf = async (pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)![1]) / 1_024
}

it(`holds little of ${MESSAGES} messages and ${FILES} MB of files in memory`, async () => {
  node = await MainProcess.start({ DATABASE_URL: database.url, DATA_DIR: dataDir })
  const headers = await node.signIn()
  const run = <Data>(query: string, variables: object): Promise<Data> => node!.run<Data>(query, variables, headers)
  const { createConversation: made } = await run<{
    createConversation: { id: string; contactId: string; organizationId: string }
  }>(
    'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id contactId organizationId } }',
    {
      input: {
        touchpoint: 'WEB',
        contact: { profile: { name: 'Max', email: 'max@example.com' } },
        messages: [{ role: 'CONTACT', text: 'first' }],
      },
    },
  )
  const of = [made.organizationId, made.id]
  await outside.query(
    `insert into message (id, organization_id, org1, created_at, updated_at, conversation_id, position, type, role, text)
     select gen_random_uuid(), $1, $1, now(), now(), $2, 100 + n, 'text', 'contact', n || ' ' || repeat(md5(n::text), 100)
     from generate_series(1, $3::int) n`,
    [...of, MESSAGES],
  )
  const bytes = Buffer.alloc(FILE_BYTES, 7)
  for (let n = 0; n < FILES; n += 1) {
    const id = v7()
    const folder = join(dataDir, 'attachments', id.slice(-2))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, id), bytes)
    await outside.query(
      `insert into attachment (id, organization_id, org1, created_at, updated_at, file_name, file_type, size, sha256, tags, contact_id)
       values ($1, $2, $2, now(), now(), 'a.png', 'image/png', $3, '', '{}', $4)`,
      [id, made.organizationId, FILE_BYTES, made.contactId],
    )
  }
  const ask = async (): Promise<{ size: number; messages: number; files: number }> => {
    const { exportContact } = await run<{ exportContact: { id: string } }>(
      'mutation ($id: ID!) { exportContact(id: $id) { id } }',
      { id: made.contactId },
    )
    return until(
      async () =>
        (
          await run<{ contactExport: { status: string; size: number; messages: number; files: number } }>(
            'query ($id: ID!) { contactExport(id: $id) { status size messages files } }',
            { id: exportContact.id },
          )
        ).contactExport,
      ({ status }) => status === 'READY',
    )
  }
  // What is loaded at first use is not the export's.
  await ask()
  const before = await memoryOf(node.pid, 'VmRSS')
  await writeFile(`/proc/${node.pid}/clear_refs`, '5')
  const since = Date.now()
  const ready = await ask()
  const grown = (await memoryOf(node.pid, 'VmHWM')) - before
  expect(ready).toMatchObject({ messages: MESSAGES + 1, files: FILES })
  expect(ready.size).toBeGreaterThan(FILES * FILE_BYTES)
  process.stdout.write(
    `export of ${Math.round(ready.size / 1e6)} MB: ${Math.round(grown)} MB beside ${Math.round(before)} MB, ${Date.now() - since} ms\n`,
  )
  expect(grown).toBeLessThan(GROWTH_MB_MAX)
})
