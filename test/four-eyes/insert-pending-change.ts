import { randomUUID } from 'node:crypto'
import type { TestServer } from '../support/test-server.js'

/** Records a change that somebody has proposed, of an operation that no release knows. @returns its id */
export async function insertPendingChange(
  { server }: Pick<TestServer, 'server'>,
  organization: string,
): Promise<string> {
  const id = randomUUID()
  await server.database.query(
    `insert into pending_change (id, organization_id, org1, org2, org3, created_at, updated_at, area, operation, input, sealed_input, digest,
       proposed_by_id, scopes, status, expires_at)
     select $1, id, org1, org2, org3, now(), now(), 'hold', 'releaseAll', '{}', 'none', gen_random_uuid()::text, gen_random_uuid(), '{}', 'pending', now() + interval '72 hours'
     from organization where id = $2`,
    [id, organization],
  )
  return id
}
