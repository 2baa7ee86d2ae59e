import pino from 'pino'
import { scopesOfRole, type Role } from '../../../src/platform/access/scopes.js'
import { readConfig } from '../../../src/platform/config.js'
import { systemClock } from '../../../src/platform/db/clock.js'
import type { StoredEvent } from '../../../src/platform/events/event.js'
import { appendEvents } from '../../../src/platform/events/streams.js'
import { createServer } from '../../../src/app/server.js'
import type { Broadcaster } from './broadcaster.js'
import type { SeededUser } from '../../harness/seed.js'

export interface ProductBroadcaster extends Broadcaster {
  tokenFor(user: SeededUser): Promise<string>
}

/** The whole product. It commits events like the stream's newest message, one transaction for those published at once, and publishes as a resolver would. */
export async function productBroadcaster(databaseUrl: string): Promise<ProductBroadcaster> {
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    GRAPHQL_COST_PER_MINUTE: '1000000000',
  })
  const server = await createServer(config, { log: pino({ level: 'silent' }) })
  const { database, dispatcher, signer } = server
  let template: StoredEvent | undefined
  return {
    url: `${server.url}/graphql`,
    async publish(count, stream) {
      template ??= (
        await database.query<StoredEvent>(
          `select stream, type, data from event where stream = $1 and type = 'message.added' order by number desc limit 1`,
          [stream],
        )
      )[0]
      const events = Array.from({ length: count }, () => template!)
      // Sent together with the commit, as the product does.
      let appended: Promise<StoredEvent[]> = Promise.resolve([])
      await database.sqlTransaction(async (sql) => void (appended = appendEvents(sql, events, new Date())))
      const stored = await appended
      const at = performance.now()
      dispatcher.publish(stored)
      return at
    },
    async tokenFor({ id, organization, role }) {
      const family = systemClock.newId()
      await database.query(
        `insert into token_family (id, user_id, created_at, expires_at) values ($1, $2, now(), now() + interval '1 day')`,
        [family, id],
      )
      return (await signer.signAccess({ user: id, organization, scopes: scopesOfRole(role as Role), family })).token
    },
    close: () => server.close(),
  }
}
