import { Field, ID, ObjectType } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../platform/context.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { tokenCreatedSql, tokenEndsSql } from '../sign-in-policy/sign-in-rules.js'

@ObjectType({ simpleResolvers: true, description: 'An API token of a bot, without the token itself.' })
export class ApiToken {
  @Field(() => ID, { description: 'The `jti` of the token.' })
  id!: string

  @Field(() => DateTime, { description: 'Time of its creation, from which the sign-in policy counts.' })
  createdAt!: Date

  @Field(() => DateTime, {
    nullable: true,
    description:
      'Time at which it ends: of one that was replaced with an overlap, or by `apiTokenMaxDays` of the sign-in policy; null: it does ' +
      'not. In the past: the policy has ended the present one, which `rotateApiToken` replaces.',
  })
  endsAt!: Date | null
}

/** Returns a user's API tokens, the present one first, also if it is too old, and those that overlap. */
export async function readApiTokens(ctx: Context, user: string): Promise<ApiToken[]> {
  return (await ctx.loader(apiTokenLoader).load(user))?.tokens ?? []
}

const apiTokenLoader: LoaderDefinition<{ tokens: ApiToken[] }> = {
  async load(ctx, users) {
    const rows = await ctx.reads.query<ApiToken & { user: string }>(
      `select u.id as user, t.id, ${tokenCreatedSql('t.id')} as "createdAt", least(t.ends_at, ${tokenEndsSql('u', 't.id')}) as "endsAt"
       from app_user u, lateral (
         select u.api_token_id as id, null::timestamptz as ends_at where u.api_token_id is not null
         union all
         select e.id, e.ends_at from ending_api_token e where e.user_id = u.id and e.ends_at > $2) t
       where u.id = any($1::uuid[]) order by t.ends_at nulls first`,
      [users, ctx.now()],
      'api-tokens',
    )
    const byUser = Map.groupBy(rows, ({ user }) => user)
    return new Map(
      [...byUser].map(([user, found]) => [
        user,
        { tokens: found.map(({ id, createdAt, endsAt }) => ({ id, createdAt, endsAt })) },
      ]),
    )
  },
}
