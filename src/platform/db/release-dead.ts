import type pg from 'pg'

/** The holder of a connection that ended releases it within this time, if at all. */
const GIVEN_BACK_MS = 500

/** Connections whose holder releases them in any case. */
const inGoodHands = new WeakSet<object>()

/** Marks a connection that its holder will release, dead or not. */
export function willBeReleased(client: object): void {
  inGoodHands.add(client)
}

/**
 * Releases connections that ended while they were held: Kysely keeps that of a transaction whose ROLLBACK or COMMIT
 * could not be sent, and the pool would never get it back.
 */
export function releaseDead(pool: pg.Pool): void {
  const held = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => held.add(client))
  pool.on('release', (_error, client) => {
    held.delete(client)
    inGoodHands.delete(client)
  })
  pool.on('connect', (client) => {
    client.once('end', () => {
      setTimeout(() => {
        if (held.has(client) && !inGoodHands.has(client)) client.release(true)
      }, GIVEN_BACK_MS).unref()
    })
  })
}
