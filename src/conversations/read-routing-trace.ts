import { Field, ID, Int, ObjectType } from 'type-graphql'
import type { Context } from '../context.js'
import { camelRow } from '../lists/rows.js'
import { DateTime } from '../lists/scalars.js'
import { RoutingTraceEntry } from '../workflows/routing-trace.js'

@ObjectType({ simpleResolvers: true, description: 'What one queueing decided and why (3.4).' })
export class RoutingTrace {
  @Field(() => ID) id!: string
  @Field(() => Int, { description: 'Counts the queueings of the conversation, from 1.' }) queueing!: number
  @Field(() => String, { description: 'What queued it.' }) trigger!: string
  @Field(() => [RoutingTraceEntry], { description: 'The rules in order of processing.' }) entries!: RoutingTraceEntry[]
  @Field(() => DateTime) createdAt!: Date
}

const TRACES_MAX = 50

/** The queueings of a conversation, newest first. */
export async function readRoutingTrace(ctx: Context, conversation: string, first = 10): Promise<RoutingTrace[]> {
  const rows = await ctx.database.query<Record<string, unknown>>(
    `select id, queueing, trigger, entries, created_at from routing_decision
     where conversation_id = $1 order by id desc limit $2`,
    [conversation, Math.min(Math.max(first, 1), TRACES_MAX)],
  )
  return rows.map((row) => camelRow<RoutingTrace>(row))
}
