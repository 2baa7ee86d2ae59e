import type { Context } from '../../platform/context.js'
import { rangesOf, requireNetwork, rulesSql, strictest, type SignInRules } from '../sign-in-policy/sign-in-rules.js'
import { parseNewPassword } from './new-password.js'
import type { LinkUser } from './password-links.js'

/**
 * Parses a password that is chosen by a link, which also signs in: nothing is changed for who may not sign in from where it is.
 * @throws BadUserInput, Forbidden
 */
export async function parseChosen(ctx: Context, { id }: Pick<LinkUser, 'id'>, password: unknown): Promise<string> {
  const [user] = await ctx.reads.query<{ names: (string | null)[]; rules: SignInRules[] | null }>(
    `select array[u.email, u.display_name, u.given_name, u.additional_name, u.family_name] as names, ${rulesSql('u')} as rules
     from app_user u where u.id = $1`,
    [id],
    'user-of-link',
  )
  const rules = strictest(user?.rules ?? null)
  requireNetwork(rangesOf(rules.allowedNetworks), ctx.address)
  return parseNewPassword(password, 'password', rules, user?.names ?? [])
}
