import { Field, ID, ObjectType } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../platform/context.js'
import { DateTime } from '../../platform/lists/scalars.js'

@ObjectType({ simpleResolvers: true, description: 'An API token of a bot, without the token itself.' })
export class ApiToken {
  @Field(() => ID, { description: 'The `jti` of the token.' })
  id!: string

  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which it ends, of one that was replaced with an overlap; null for the present one.',
  })
  endsAt!: Date | null
}

/** Returns a user's valid API tokens, the present one first. */
export async function readApiTokens(ctx: Context, user: string): Promise<ApiToken[]> {
  return (await ctx.loader(apiTokenLoader).load(user))?.tokens ?? []
}

const apiTokenLoader: LoaderDefinition<{ tokens: ApiToken[] }> = {
  async load(ctx, users) {
    const rows = await ctx.reads.query<{ user: string; id: string; endsAt: Date | null }>(
      `select id as user, api_token_id as id, null::timestamptz as "endsAt" from app_user
       where id = any($1::uuid[]) and api_token_id is not null
       union all
       select user_id, id, ends_at from ending_api_token where user_id = any($1::uuid[]) and ends_at > $2
       order by "endsAt" nulls first`,
      [users, ctx.now()],
      'api-tokens',
    )
    const byUser = Map.groupBy(rows, ({ user }) => user)
    return new Map(
      [...byUser].map(([user, found]) => [user, { tokens: found.map(({ id, endsAt }) => ({ id, endsAt })) }]),
    )
  },
}
