import type pg from 'pg'

/** Whoever holds a connection that has ended gives it back by then, if at all. */
const GIVEN_BACK_MS = 500

/** Those whose holder gives them back by itself, whatever becomes of them. */
const inGoodHands = new WeakSet<object>()

/** Call with a connection that is going to be given back, dead or not. */
export function willBeReleased(client: object): void {
  inGoodHands.add(client)
}

/**
 * Gives back connections that ended while they were held: Kysely keeps that of a transaction whose ROLLBACK or COMMIT
 * could not be sent, and the pool would lack it for ever.
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
