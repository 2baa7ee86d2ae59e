import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { Field, ObjectType } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { isCenterInUseSql } from '../../../platform/db/archived-centers.js'
import { unstorable } from '../../../platform/json.js'
import { networkOf } from '../../../platform/limits/network-of.js'
import { spend } from '../../../platform/limits/shared-limiter.js'
import { EMAIL_CHARS_MAX } from '../../auth/sign-in.js'
import { isProviderSql } from '../../sign-in-policy/password-login.js'
import { shownProvider, SignInProvider } from '../own-providers.js'
import { domainOfEmail } from '../provider-identity.js'

@ObjectType({ simpleResolvers: true, description: 'The ways in which emails of a domain sign in.' })
export class SignInMethods {
  @Field(() => [SignInProvider], { description: 'Providers that the owner of the domain has set up for it, by name.' })
  providers!: SignInProvider[]
}

/** The maximum for one network, which may be that of a large office in the morning. */
export const QUESTIONS_PER_MINUTE = 600
const PROVIDERS_MAX = 20

/**
 * Tells how emails of a domain sign in: by the domain alone, and by the same statement for any, so that nothing is told of
 * accounts. Any text may be asked for. @throws RateLimited
 */
export async function signInMethods(
  ctx: Context,
  { limiter, publicUrl }: { limiter: RateLimiterAbstract; publicUrl: string },
  email: string,
): Promise<SignInMethods> {
  await spend(limiter, networkOf(ctx.address ?? 'unknown'), 1, 'too many questions how to sign in')
  const text = email.trim()
  const isEmail = text.length <= EMAIL_CHARS_MAX && text.includes('@') && !unstorable(text)
  const rows = await ctx.reads.query<{ id: string; name: string | null; issuer: string }>(
    PROVIDERS_OF_DOMAIN,
    [isEmail ? domainOfEmail(text) : ''],
    'providers-of-domain',
  )
  return { providers: rows.map((row) => shownProvider(row, publicUrl)) }
}

/** Those of the organization that owns it, of one above it, or of one below it. */
const PROVIDERS_OF_DOMAIN = `
select s.id, s.name, s.params ->> 'issuer' as issuer
from domain d join service s on s.org1 = d.org1 and s.type in ('oidc', 'saml')
where d.name = $1 and d.verified_at is not null and ${isProviderSql('s')} and s.params -> 'domains' ? d.name
  and (s.organization_id in (d.org1, d.org2, d.org3) or d.organization_id in (s.org1, s.org2, s.org3))
  and ${isCenterInUseSql('s')}
order by lower(s.name), s.id limit ${PROVIDERS_MAX}`
