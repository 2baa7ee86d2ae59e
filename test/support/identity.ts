import { systemClock } from '../../src/platform/db/clock.js'
import { startTestServer, type TestServer } from './test-server.js'

export interface Answer {
  data: Record<string, unknown>
  /** Code of the first error, with the field it names. */
  code?: string
  field?: string
  message?: string
}

export interface Identity extends TestServer {
  /** Runs an operation with an access token, and reads the first error's code. */
  run(token: string | null, query: string, variables?: Record<string, unknown>): Promise<Answer>
  /** Types of the events in an organization's stream, oldest first. */
  eventsOf(organization: string): Promise<string[]>
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>
  /** A conversation with a contact of its own, by plain SQL. */
  makeConversation(organization: {
    id: string
    path: readonly (string | undefined)[]
  }): Promise<{ id: string; contact: string }>
}

/** The server, with what the tests of organizations, users and authentication need besides. */
export async function startIdentity(env: Record<string, string> = {}): Promise<Identity> {
  const server = await startTestServer(env)
  const { database } = server.server
  return {
    ...server,
    sql: (text, values) => database.query(text, values),
    async run(token, query, variables) {
      const { data, errors } = await server.gql<Answer['data']>(token, query, variables)
      const error = errors?.[0]
      if (!error) return { data }
      const { code, field } = error.extensions
      return { data, code, message: error.message, ...(field !== undefined && { field: field as string }) }
    },
    async eventsOf(organization) {
      const sql = 'select type from event where stream = $1 order by number'
      const rows = await database.query<{ type: string }>(sql, [`organization:${organization}`])
      return rows.map(({ type }) => type)
    },
    async makeConversation({ id: organization, path }) {
      const [id, contact] = [systemClock.newId(), systemClock.newId()]
      const tenant = [organization, path[0], path[1], path[2]]
      await database.query(
        `insert into contact (id, organization_id, org1, org2, org3, created_at, updated_at)
         values ($1, $2, $3, $4, $5, now(), now())`,
        [contact, ...tenant],
      )
      await database.query(
        `insert into conversation (id, organization_id, org1, org2, org3, created_at, updated_at, type, name, slug, status, contact_id)
         values ($1, $2, $3, $4, $5, now(), now(), 'contact', 'A conversation', $6, 'active', $7)`,
        [id, ...tenant, `slug-${id}`, contact],
      )
      return { id, contact }
    },
  }
}
