import type { Context } from '../context.js'
import { Unprocessable } from '../errors.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { endUsesOfApiToken } from './api-token-uses.js'
import { tokenColumns } from './create-user.js'
import type { UpdateDependencies } from './update-user.js'
import { parseScopes } from './user-input.js'
import { User } from './user.js'

/**
 * Gives a bot a new API token, shown in this answer only. Ends the old one at once, together with the guests' sign-ins
 * that it opened and the messages that it sent for later processing.
 * @param scopes default to those of the current token, else `bot`
 * @throws NotFound, Unprocessable for a user that is no bot, BadUserInput
 */
export async function rotateApiToken(
  ctx: Context,
  { transact, credentials, accessChanges }: UpdateDependencies,
  id: string,
  scopes: string[] | null | undefined,
): Promise<User> {
  const given = scopes == null ? null : parseScopes(scopes, 'scopes')
  let token = ''
  let guests: string[] = []
  const user = await transact(ctx, async (tx) => {
    const bot = await fetchRecord(ctx, User, id, { field: 'user', em: tx.em, lock: true })
    if (bot.role !== 'bot') {
      throw new Unprocessable(`user ${bot.id} has the role ${bot.role}, not bot`, { field: 'user' })
    }
    const named = given ?? bot.apiScopes ?? ['bot']
    const minted = await credentials.mintApiToken({ user: bot.id, organization: bot.organizationId, scopes: named })
    guests = await endUsesOfApiToken(tx, bot.apiTokenId, ctx.now())
    Object.assign(bot, tokenColumns(minted, named), { updatedAt: ctx.now() })
    token = minted.token
    return bot
  })
  for (const each of [user.id, ...guests]) accessChanges.userChanged(each)
  user.apiToken = token
  return user
}
