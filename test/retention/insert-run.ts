import { randomUUID } from 'node:crypto'
import type { TestServer } from '../support/test-server.js'

/** Records a run of a retention policy that begins tomorrow, and returns its id. */
export async function insertRun({ server }: Pick<TestServer, 'server'>, policy: string): Promise<string> {
  const id = randomUUID()
  await server.database.query(
    `insert into retention_run (id, organization_id, org1, org2, org3, created_at, updated_at, policy_id, policy_version, subject,
       days, before, status)
     select $1, organization_id, org1, org2, org3, now(), now(), id, 1, subject, days, now(), 'done'
     from retention_policy where id = $2`,
    [id, policy],
  )
  return id
}
