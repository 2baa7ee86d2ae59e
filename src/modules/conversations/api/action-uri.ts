import { WHOLE_MESSAGE } from '../../messages/message-columns.js'
import type { LinkTokens } from '../../auth/link-tokens.js'
import type { Context } from '../../../platform/context.js'
import { Forbidden, NotFound, quoteValue, Unprocessable } from '../../../platform/errors.js'
import { rowsById } from '../../../platform/lists/rows.js'
import type { MessageRow } from '../../messages/message-row.js'
import { buttonAt, type ButtonPlace } from './buttons.js'

export interface ActionUriDependencies {
  linkTokens: LinkTokens
  /** Origins that may receive the caller's identity (`LINK_HOSTS`). */
  linkOrigins: readonly string[]
}

const PLACEHOLDERS = /\{(authuser|authtoken)\}/g

/**
 * Returns the address of a link button for the caller (4.7, rule 7): `{authuser}` becomes the caller's id,
 * `{authtoken}` a token of five minutes that is valid for the link's site alone. Anyone who writes messages can write
 * links, so only listed sites receive either.
 * @throws NotFound; BadUserInput; Unprocessable if the button is not a link; Forbidden if the site is not listed
 */
export async function actionUri(
  { linkTokens, linkOrigins }: ActionUriDependencies,
  ctx: Context,
  { message: id, ...place }: ButtonPlace & { message: string },
): Promise<string> {
  const { user, organization } = ctx.userCaller
  const message = (await rowsById<MessageRow>(ctx, 'message', [id], WHOLE_MESSAGE)).get(id.toLowerCase())
  if (!message) throw new NotFound(`message: Message ${quoteValue(id)} not found`)
  const button = buttonAt(message, place)
  if (button.type !== 'link')
    throw new Unprocessable(`a button of type ${button.type} is not a link`, {
      reason: 'WRONG_BUTTON',
      field: 'action',
    })
  const { uri } = button
  if (uri.search(PLACEHOLDERS) < 0) return uri
  // The origin that a browser would open, whatever replaces the placeholders.
  const audience = new URL(uri.replace(PLACEHOLDERS, 'x')).origin
  if (!linkOrigins.includes(audience))
    throw new Forbidden(`${audience} is not a site that may receive the caller's identity`)
  const values = { authuser: user, authtoken: await linkTokens.sign({ user, organization, audience }) }
  return uri.replace(PLACEHOLDERS, (_, name: keyof typeof values) => values[name])
}
