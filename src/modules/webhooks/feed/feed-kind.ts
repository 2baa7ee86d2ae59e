import type { Context } from '../../../platform/context.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { Database } from '../../../platform/db/database.js'
import { Unprocessable } from '../../../platform/errors.js'
import type { WriteTx } from '../../../platform/events/transact.js'
import type { Service } from '../../services/service.js'
import type { ServiceKind, ServiceWritten } from '../../services/service-kinds.js'
import { checkCount, removeWebhook } from '../webhook-kind.js'
import { endListening, letWritersPass } from '../webhook-listeners.js'
import { SERVER_SQL } from './feed-store.js'

/** The service type of feeds, which keep events for whoever reads them by cursor. */
export const FEED = 'feed'

/**
 * Extends writes of services of type `feed`. It has no params: a feed that kept some of the events would have holes that nobody is
 * told of. One that is switched off and on again begins anew, and refuses the cursors from before.
 */
export class FeedKind implements ServiceKind {
  readonly touchpoint = null
  readonly params = []
  readonly secrets = {}
  readonly form = {
    name: { en: 'Events to read', de: 'Lesbare Ereignisse', fr: 'Événements à lire', nl: 'Te lezen gebeurtenissen' },
    icon: 'hook',
    params: [],
  }

  async written(ctx: Context, tx: WriteTx, written: ServiceWritten): Promise<void | (() => Promise<unknown>)> {
    const { service, before } = written
    const earlier = before?.type === FEED ? before : null
    // As a webhook it may have had another status.
    if (service.status !== 'inactive') service.status = 'active'
    if (!earlier) await this.#add(tx, service)
    else await tx.query('update webhook set status = $2 where service_id = $1', [service.id, service.status])
    if (service.status === 'inactive') return endListening(tx, service.id)
    if (earlier?.status === 'inactive') {
      await tx.query(`${NEW_FEED} update webhook set feed_id = (select id from fresh) where service_id = $1`, [
        service.id,
      ])
    }
    const added = await tx.query(
      'insert into event_listener (listener_id, organization_id) values ($1, $2) on conflict do nothing returning 1',
      [service.id, service.organizationId],
    )
    return added.length > 0 ? () => beginFeed(ctx.database, ctx.clock, service.id) : undefined
  }

  removed(_ctx: Context, tx: WriteTx, { id }: Service): Promise<void> {
    return removeWebhook(tx, id)
  }

  async #add(tx: WriteTx, { id, organizationId, status }: Service): Promise<void> {
    await checkCount(tx, organizationId)
    const added = await tx.query(
      `${NEW_FEED} insert into webhook (service_id, organization_id, status, is_pulled, feed_id)
       values ($1, $2, $3, true, (select id from fresh))
       on conflict (organization_id) where feed_id is not null do nothing returning 1`,
      [id, organizationId, status],
    )
    if (added.length > 0) return
    throw new Unprocessable('the organization has a feed already: it keeps all events, for any number of readers', {
      reason: 'TOO_MANY',
      field: 'type',
    })
  }
}

const NEW_FEED = `with fresh as (insert into event_feed (database_id) values (${SERVER_SQL}) returning id)`

/**
 * Waits for the transactions that may have seen no feed: from then on it misses nothing.
 * @returns false if writers take too long: whoever reads tries again
 */
export async function beginFeed(database: Database, clock: Clock, service: string): Promise<boolean> {
  if (!(await letWritersPass(database, service))) return false
  await database.query(
    `update event_feed f set begun_at = $2 from webhook w
     where w.service_id = $1 and f.id = w.feed_id and f.begun_at is null`,
    [service, clock.now()],
  )
  return true
}
