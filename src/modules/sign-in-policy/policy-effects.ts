import { Field, Int, ObjectType } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { Organization } from '../organizations/organization.js'
import { parseRules } from './parse-rules.js'
import { demandOf } from './demand-of.js'
import { StoredSignInPolicy, type UpdateSignInPolicyInput } from './sign-in-policy.js'
import {
  factorDueSql,
  hasFactorSql,
  IDLE_SLACK_MINUTES,
  isEndedByRuleSql,
  isFactorDemandedSql,
  tokenCreatedSql,
  tokenEndsSql,
} from './sign-in-rules.js'

@ObjectType({
  simpleResolvers: true,
  description: 'Counts of what a change of the sign-in policy would end at once, in the organization and below it.',
})
export class SignInPolicyEffects {
  @Field(() => Int, { description: 'API tokens that are valid now, and older than `apiTokenMaxDays` of the change.' })
  apiTokens!: number

  @Field(() => Int, { description: 'Sessions of users that are open now, and that a rule of the change ends.' })
  sessions!: number

  @Field(() => Int, { description: 'People without a second factor of whom the change asks one.' })
  usersToEnrol!: number
}

/** Counts what a change would end, without making it. @throws NotFound naming `organization`, BadUserInput */
export async function readPolicyEffects(
  ctx: Context,
  named: string | null,
  patch: UpdateSignInPolicyInput,
): Promise<SignInPolicyEffects> {
  const rules = parseRules(patch)
  const organization = await fetchRecord(ctx, Organization, named ?? ctx.caller.organization, { field: 'organization' })
  const stored = await ctx.em.findOne(StoredSignInPolicy, { organizationId: organization.id })
  const demand = demandOf(rules, stored, ctx.now())
  const [effects] = await ctx.reads.query<SignInPolicyEffects>(
    EFFECTS,
    [
      organization.id,
      ctx.now(),
      rules.apiTokenMaxDays,
      rules.maxSessionHours,
      rules.idleMinutes,
      rules.passwordLogin,
      rules.secondFactor,
      demand.adminsFactorSince,
      demand.allFactorSince,
      demand.graceDays,
    ].map((each) => each ?? null),
    'sign-in-policy-effects',
  )
  return effects!
}

const IS_CONCERNED = '$1::uuid in (u.org1, u.org2, u.org3)'
/** The policies as they would be after the change. */
const CHANGED = `(
  select organization_id, admins_factor_since, all_factor_since, grace_days from sign_in_policy where organization_id <> $1
  union all select $1::uuid, $8::timestamptz, $9::timestamptz, $10::int)`
const EFFECTS = `
select (
  select count(*)::int from app_user u, lateral (
    select u.api_token_id as id where u.api_token_id is not null
    union all select e.id from ending_api_token e where e.user_id = u.id and e.ends_at > $2) t
  where ${IS_CONCERNED} and u.status <> 'archived' and coalesce(${tokenEndsSql('u', 't.id')} > $2::timestamptz, true)
    and ${tokenCreatedSql('t.id')} + make_interval(days => $3::int) <= $2::timestamptz) as "apiTokens",
  (select count(*)::int from app_user u join token_family f on f.user_id = u.id
  where ${IS_CONCERNED} and u.status = 'active' and f.revoked_at is null and f.expires_at > $2
    and (f.ends_at is null or f.ends_at > $2) and not ${isEndedByRuleSql('f', '$2')}
    and (f.created_at + make_interval(hours => $4::int) <= $2::timestamptz
      or u.role <> 'bot' and f.service_id is null and $6::boolean = false
      or f.service_id is null and ${factorDueSql('u', CHANGED)} <= $2::timestamptz
      or u.role <> 'bot' and coalesce(f.seen_at, f.created_at) + make_interval(mins => $5::int + ${IDLE_SLACK_MINUTES}) <= $2::timestamptz)
  ) as sessions,
  (select count(*)::int from app_user u where ${IS_CONCERNED} and u.status = 'active' and not ${isFactorDemandedSql('u')}
    and ($7::text = 'all' and u.role <> 'bot' or $7::text = 'admins' and u.role in ('admin', 'owner'))
    and not ${hasFactorSql('u.id')}) as "usersToEnrol"`
