import type { Context } from '../../../platform/context.js'
import type { WriteTx } from '../../../platform/events/transact.js'
import type { JsonObject } from '../../../platform/json.js'
import type { Service } from '../../services/service.js'
import type { ServiceKind, ServiceWritten } from '../../services/service-kinds.js'
import type { PayloadFieldsOf } from '../payload-fields.js'
import { checkBot, checkCount, removeWebhook } from '../webhook-kind.js'
import { endListening, letWritersPass } from '../webhook-listeners.js'
import { botOf, EVENTS, eventsOf, mutedUserOf, readEventsParams } from '../webhook-params.js'
import { EVENTS_SETTINGS } from '../webhook-settings.js'

/**
 * Extends writes of services of type `events`, which are webhooks without an address: events are recorded for them by the
 * same statement, and consumers take them. There is no handshake, so they are active at once.
 */
export class EventsKind implements ServiceKind {
  readonly touchpoint = null
  readonly params = EVENTS_SETTINGS.params
  readonly secrets = EVENTS_SETTINGS.secrets
  readonly form = EVENTS_SETTINGS.form

  constructor(private readonly fieldsOf: PayloadFieldsOf) {}

  readParams(given: JsonObject, stored: JsonObject): JsonObject {
    return readEventsParams(given, stored, this.fieldsOf)
  }

  async written(ctx: Context, tx: WriteTx, written: ServiceWritten): Promise<void | (() => Promise<unknown>)> {
    const { service, before, params } = written
    const earlier = before?.type === EVENTS ? before : null
    if (!earlier) await checkCount(tx, service.organizationId)
    const bot = botOf(params)
    // As a webhook it may have had another status.
    if (service.status !== 'inactive') service.status = 'active'
    // It may take the events.
    if (bot && bot !== (earlier && botOf(earlier.params))) await checkBot(tx, bot, service)
    await tx.query(
      `insert into webhook (service_id, organization_id, events, status, muted_user, is_pulled)
       values ($1, $2, $3, $4, $5, true)
       on conflict (service_id) do update set events = $3, status = $4, muted_user = $5`,
      [service.id, service.organizationId, eventsOf(params), service.status, mutedUserOf(params)],
    )
    if (service.status === 'inactive') return endListening(tx, service.id)
    const added = await tx.query(
      'insert into event_listener (listener_id, organization_id) values ($1, $2) on conflict do nothing returning 1',
      [service.id, service.organizationId],
    )
    // Transactions that began before this one commits may have seen no listener: the answer waits until they have ended,
    // so that no event of a later commit is missed. If they take longer than it waits, theirs are.
    return added.length > 0 ? () => letWritersPass(ctx.database, service.id) : undefined
  }

  removed(_ctx: Context, tx: WriteTx, { id }: Service): Promise<void> {
    return removeWebhook(tx, id)
  }
}
