import type { LinkTokens } from '../../auth/link-tokens.js'
import type { Context } from '../../context.js'
import { Forbidden, NotFound, quoteValue, Unprocessable } from '../../errors.js'
import { rowsById } from '../../lists/rows.js'
import type { MessageRow } from '../../messages/message-row.js'
import { buttonAt, type ButtonPlace } from './buttons.js'

export interface ActionUriDependencies {
  linkTokens: LinkTokens
  /** Origins that may be told who the caller is (`LINK_HOSTS`). */
  linkOrigins: readonly string[]
}

const PLACEHOLDERS = /\{(authuser|authtoken)\}/g

/**
 * The address of a link button for the caller (4.7, rule 7): `{authuser}` becomes the caller's id, `{authtoken}` a
 * token of five minutes for the link's site alone. Whoever writes messages writes links, so only listed sites get either.
 * @throws NotFound; BadUserInput; Unprocessable for a button that is no link; Forbidden for a site that is not listed
 */
export async function actionUri(
  { linkTokens, linkOrigins }: ActionUriDependencies,
  ctx: Context,
  { message: id, ...place }: ButtonPlace & { message: string },
): Promise<string> {
  const { user, organization } = ctx.userCaller
  const message = (await rowsById<MessageRow>(ctx, 'message', [id])).get(id.toLowerCase())
  if (!message) throw new NotFound(`message: Message ${quoteValue(id)} not found`)
  const button = buttonAt(message, place)
  if (button.type !== 'link') throw new Unprocessable(`a button of type ${button.type} is no link`, { field: 'action' })
  const { uri } = button
  if (uri.search(PLACEHOLDERS) < 0) return uri
  // Where a browser would go, whatever stands in the place of the placeholders.
  const audience = new URL(uri.replace(PLACEHOLDERS, 'x')).origin
  if (!linkOrigins.includes(audience)) throw new Forbidden(`${audience} is not a site that is told who you are`)
  const values = { authuser: user, authtoken: await linkTokens.sign({ user, organization, audience }) }
  return uri.replace(PLACEHOLDERS, (_, name: keyof typeof values) => values[name])
}
