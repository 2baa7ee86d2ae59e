import { isAllowed } from '../../../platform/access/permissions.js'
import type { Context } from '../../../platform/context.js'
import { Forbidden } from '../../../platform/errors.js'
import type { Service } from '../../services/service.js'
import { fetchWebhook } from '../redeliver.js'
import { botOf, EVENTS } from '../webhook-params.js'

/**
 * Reads a service of type `events` for a consumer: whoever may change it, or its bot.
 * @throws NotFound; Unprocessable for a service of another type; Forbidden
 */
export async function fetchTaken(ctx: Context, id: string): Promise<Service> {
  const service = await fetchWebhook(ctx, id, [EVENTS])
  if (isAllowed(ctx.caller, 'service.update') || ctx.userCaller.user === botOf(service.params)) return service
  throw new Forbidden('event.take needs the scope admin, or to be the bot of the service')
}
