import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { MainProcess } from '../support/main-process.js'
import { until } from '../support/until.js'

// A node that dies while it erases: the next one goes on, and counts nothing twice.
const dataDir = mkdtempSync(join(tmpdir(), 'retention-killed-'))
const NUMBER = 420

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
const runOf = async (policy: string): Promise<{ status: string; erased: number } | undefined> => {
  const { rows } = await outside.query<{ status: string; erased: number }>(
    'select status, erased from retention_run where policy_id = $1',
    [policy],
  )
  expect(rows.length).toBeLessThan(2)
  return rows[0]
}

it('erases each record once, however often its node dies', async () => {
  await start()
  await outside.query(
    `insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, last_message_at)
     select ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, id, org1, at, at, 'contact', 'Old', 'old-' || n, 'closed', at
     from (select o.id, o.org1 from organization o order by o.created_at limit 1) o, generate_series(1, ${NUMBER}) n,
       (select now() - interval '90 days' as at) x`,
  )
  const { createRetentionPolicy: policy } = await node!.run<{ createRetentionPolicy: { id: string } }>(
    'mutation { createRetentionPolicy(input: { subject: CONVERSATIONS, days: 30, confirmed: true }) { id } }',
    {},
    headers,
  )
  await outside.query(`update retention_policy set starts_at = now() where id = $1`, [policy.id])
  await outside.query(`update job set run_at = now() where kind = 'retention.begin'`)
  for (const enough of [20, 150, 300]) {
    await until(
      () => runOf(policy.id),
      (run) => (run?.erased ?? 0) >= enough,
    )
    await kill()
    await start()
  }
  expect(
    await until(
      () => runOf(policy.id),
      (run) => run?.status === 'done',
    ),
  ).toMatchObject({ erased: NUMBER })
  const { rows } = await outside.query(`select 1 from conversation where slug like 'old-%'`)
  expect(rows).toEqual([])
}, 180_000)
