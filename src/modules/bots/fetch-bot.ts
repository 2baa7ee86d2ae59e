import type { Context } from '../../platform/context.js'
import { Unprocessable } from '../../platform/errors.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { User } from '../users/user.js'

/**
 * Reads a bot without a lock: whoever acts as the bot at the moment refers to its row, and waits for nobody.
 * @throws NotFound; Unprocessable `NOT_A_BOT`
 */
export async function fetchBot(ctx: Context, { em }: WriteTx, id: string, field: string): Promise<User> {
  const bot = await fetchRecord(ctx, User, id, { em, field })
  if (bot.role !== 'bot')
    throw new Unprocessable(`${field}: user ${bot.id} is not a bot`, { reason: 'NOT_A_BOT', field })
  return bot
}
