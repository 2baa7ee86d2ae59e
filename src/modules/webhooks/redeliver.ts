import { serviceInactive } from '../services/service-inactive.js'
import { addMutationEntry } from '../../platform/audit/audit-entry.js'
import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { NotFound, quoteValue, Unprocessable } from '../../platform/errors.js'
import { fetchRecord, recordNotFound } from '../../platform/lists/fetch-record.js'
import { Service } from '../services/service.js'
import { EVENTS, WEBHOOK } from './webhook-params.js'

/** Reads a webhook, or a service of another of the types. @throws NotFound; Unprocessable for one of none of these */
export async function fetchWebhook(ctx: Context, id: string, types: readonly string[] = [WEBHOOK]): Promise<Service> {
  const service = await fetchRecord(ctx, Service, id)
  if (types.includes(service.type)) return service
  const message = `service ${service.id} is of type ${quoteValue(service.type)}, not ${types.join(' or ')}`
  throw new Unprocessable(message, { field: 'service' })
}

/** The types of services that events are recorded for. */
export const TOLD: readonly string[] = [WEBHOOK, EVENTS]

/** Queues an event again with the same id and bytes, ahead of others of its conversation. @returns its service @throws NotFound */
export async function redeliver(ctx: Context, delivery: string): Promise<string> {
  const rows = isId(delivery)
    ? await ctx.reads.query<{ service: string }>('select service_id as service from webhook_delivery where id = $1', [
        delivery,
      ])
    : []
  const notFound = (): NotFound => recordNotFound('WebhookDelivery', delivery)
  if (!rows[0]) throw notFound()
  const { id } = await fetchWebhook(ctx, rows[0].service, TOLD).catch((error: unknown) => {
    throw error instanceof NotFound ? notFound() : error
  })
  await ctx.database.sqlTransaction(async (sql) => {
    await addMutationEntry(sql, ctx)
    await sql.query(
      `with again as (
         update webhook_delivery set status = 'pending', pending_since = $2, tried_since = null,
           finished_at = null, taken_until = null where id = $1
         returning service_id, partition)
       insert into webhook_partition as l (service_id, partition, due_at) select service_id, partition, $2 from again
       on conflict (service_id, partition) do update set version = l.version + 1, due_at = least(l.due_at, $2)`,
      [delivery, ctx.now()],
    )
  })
  return id
}

/** Requests a new handshake, which verifies a new address or reactivates a failed one. @throws Unprocessable */
export async function askForHandshake(ctx: Context, service: Service): Promise<void> {
  if (service.status === 'inactive') throw serviceInactive(service)
  const now = ctx.now()
  await ctx.database.sqlTransaction(async (sql) => {
    await addMutationEntry(sql, ctx)
    await sql.query('update webhook set check_at = $2, checks = 0 where service_id = $1', [service.id, now])
  })
}
