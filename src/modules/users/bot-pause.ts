import { Field, ID, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../../platform/context.js'
import { reading } from '../../platform/db/sql.js'
import { DateTime } from '../../platform/lists/scalars.js'

@ObjectType({ simpleResolvers: true, description: 'A stop of one bot, or of all bots of an organization.' })
export class BotPause {
  @Field(() => DateTime, { description: 'Time at which it began.' })
  at!: Date

  @Field(() => ID, { description: 'The person who paused it.' })
  byId!: string

  @Field(() => ID, {
    nullable: true,
    description: 'The organization all of whose bots are paused; null if the bot is paused by itself.',
  })
  organizationId!: string | null
}

const COLUMNS = 'b.paused_at as at, b.paused_by_id as "byId"'

/** The pauses of bots, by bot: its own, and those of the organizations that it is in, the earliest first. */
export const pausesOfBots: LoaderDefinition<BotPause[]> = {
  async load(ctx, users) {
    const rows = await ctx.reads.query<BotPause & { user: string }>(OF_BOTS, [users], 'pauses-of-bots')
    return Map.groupBy(rows, ({ user }) => user)
  },
}

const OF_BOTS = reading(`
select u.id as "user", ${COLUMNS}, case when b.subject_id <> u.id then b.subject_id end as "organizationId"
from app_user u join bot_pause b on b.subject_id in (u.id, u.org1, u.org2, u.org3)
where u.id = any($1::uuid[]) and u.role = 'bot' order by b.paused_at, b.subject_id`)

/** The pauses of all bots of organizations, by organization: its own, and those of the ones above, the earliest first. */
export const pausesOfOrganizations: LoaderDefinition<BotPause[]> = {
  async load(ctx, organizations) {
    const rows = await ctx.reads.query<BotPause & { of: string }>(
      OF_ORGANIZATIONS,
      [organizations],
      'pauses-of-organizations',
    )
    return Map.groupBy(rows, ({ of }) => of)
  },
}

const OF_ORGANIZATIONS = reading(`
select o.id as of, ${COLUMNS}, b.subject_id as "organizationId"
from organization o join bot_pause b on b.subject_id in (o.org1, o.org2, o.org3)
where o.id = any($1::uuid[]) order by b.paused_at, b.subject_id`)
