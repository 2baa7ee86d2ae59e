import { graphql, type GraphQLSchema } from 'graphql'
import pg from 'pg'
import { pino, type Logger } from 'pino'
import type { Authenticator } from '../../src/access/authenticator.js'
import type { AccessChanges } from '../../src/access/access-changes.js'
import { AuthResolver } from '../../src/auth/auth-resolver.js'
import { createAuthenticator } from '../../src/auth/authenticator.js'
import { createCredentials } from '../../src/auth/credentials.js'
import { Invitations } from '../../src/auth/invitations.js'
import { createLoginThrottle } from '../../src/auth/login-throttle.js'
import { createPasswordHasher } from '../../src/auth/passwords.js'
import { serverSecret } from '../../src/auth/server-secret.js'
import { createTokenSigner, type TokenSigner } from '../../src/auth/tokens.js'
import { Context } from '../../src/context.js'
import type { Clock } from '../../src/db/clock.js'
import { systemClock } from '../../src/db/clock.js'
import { Database } from '../../src/db/database.js'
import { Dispatcher } from '../../src/events/dispatcher.js'
import { createTransact } from '../../src/events/transact.js'
import { formatError } from '../../src/graphql/errors.js'
import { OrganizationGroup } from '../../src/organizations/organization-group.js'
import { OrganizationGroupsResolver } from '../../src/organizations/organization-groups-resolver.js'
import { Organization } from '../../src/organizations/organization.js'
import { OrganizationsResolver } from '../../src/organizations/organizations-resolver.js'
import { createSchema } from '../../src/schema.js'
import { User } from '../../src/users/user.js'
import { UserOrganizationsResolver, UsersResolver } from '../../src/users/users-resolver.js'
import { createFactories, type Factories } from './factories.js'

const SERVER = process.env.TEST_DATABASE_SERVER ?? 'postgres://postgres@127.0.0.1:5432'

export interface Answer {
  data: Record<string, never>
  /** Code of the first error, and the field it names. */
  code?: string
  field?: string
  message?: string
}

export interface Identity extends Factories {
  database: Database
  signer: TokenSigner
  authenticator: Authenticator & AccessChanges
  invitations: Invitations
  clock: Clock & { set(now: Date): void }
  log: Logger
  schema: GraphQLSchema
  /** Runs an operation with a token, as a client would. */
  run(token: string | null, query: string, variables?: Record<string, unknown>, headers?: Headers): Promise<Answer>
  /** Types of the events in an organization's stream. */
  eventsOf(organization: string): Promise<string[]>
  close(): Promise<void>
}

export interface Headers {
  acceptLanguage?: string
  address?: string
}

/** Organizations, users and authentication on a database of their own, through GraphQL. */
export async function openIdentity(name: string): Promise<Identity> {
  const databaseName = `sb_test_${name}_${process.pid}`
  await onServer(`create database ${databaseName}`)
  const log = pino({ level: 'silent' })
  const entities = [Organization, OrganizationGroup, User]
  const database = await Database.open({ url: `${SERVER}/${databaseName}`, poolSize: 8, entities, log })
  await database.migrate()
  let fixed: Date | null = null
  const clock = { ...systemClock, now: () => fixed ?? new Date(), set: (now: Date) => void (fixed = now) }
  const secret = await serverSecret(database, 'tokens')
  const signer = createTokenSigner({ secret, issuer: 'switchboard', now: clock.now, newId: clock.newId })
  const authenticator = createAuthenticator({ sql: database, signer, clock })
  const dispatcher = new Dispatcher({ sql: database, log })
  const transact = createTransact({ database, dispatcher, wakeJobs: () => undefined })
  const hasher = createPasswordHasher()
  const invitations = new Invitations({ sql: database, secret: await serverSecret(database, 'invitations'), clock })
  const credentials = createCredentials(hasher, signer)
  const throttle = createLoginThrottle()
  const schema = await createSchema([
    new OrganizationsResolver(transact),
    new OrganizationGroupsResolver(transact),
    new UsersResolver({ transact, credentials, accessChanges: authenticator }),
    new UserOrganizationsResolver(),
    new AuthResolver({ transact, signer, hasher, throttle, invitations, accessChanges: authenticator }),
  ])
  return {
    ...createFactories({ sql: database, signer }),
    database, signer, authenticator, invitations, clock, log, schema,
    async run(token, source, variableValues, { acceptLanguage = null, address = null } = {}) {
      const caller = token === null ? null : await authenticator.authenticate(`Bearer ${token}`)
      const options = { database, clock, log, caller, requestId: 'test', acceptLanguage, address }
      const contextValue = new Context(options)
      const { data, errors } = await graphql({ schema, source, variableValues, contextValue })
      const [error] = (errors ?? []).map((each) => formatError(each, contextValue))
      const said = error && { code: error.extensions?.code as string, message: error.message }
      const field = error?.extensions?.field as string | undefined
      return { data: data as Answer['data'], ...said, ...(field !== undefined && { field }) }
    },
    async eventsOf(organization) {
      const sql = 'select type from event where stream = $1 order by number'
      const rows = await database.query<{ type: string }>(sql, [`organization:${organization}`])
      return rows.map(({ type }) => type)
    },
    async close() {
      await database.close()
      await onServer(`drop database ${databaseName} with (force)`)
    },
  }
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client(`${SERVER}/postgres`)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
