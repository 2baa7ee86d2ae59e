import { Field, ID, Int, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { camelRow } from '../../platform/lists/rows.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { AvailabilityEnum, CAPACITY, type Availability } from './availability.js'

@ObjectType({
  simpleResolvers: true,
  description: 'A skill, as shown to those who see who has it.',
})
export class HeldSkill {
  @Field(() => ID)
  id!: string

  @Field(() => String)
  name!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'Whether an agent takes conversations, how much it can take, and how much it has.',
})
export class AgentState {
  @Field(() => ID)
  userId!: string

  @Field(() => AvailabilityEnum, { description: 'Whether the agent takes offers.' })
  availability!: Availability

  @Field(() => String, { nullable: true, description: 'Given with `BUSY` or `AWAY`.' })
  reason!: string | null

  /** Stays when the code is deleted. */
  reasonCodeId!: string | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'Time of the last change of availability or reason code; null before any.',
  })
  since!: Date | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which `WRAP_UP` ends by itself; null in other states.',
  })
  wrapUpUntil!: Date | null

  /** A conversation of any customer: shown to those who may see it. */
  wrapUpConversationId!: string | null

  @Field(() => Int, { description: 'Units of conversations that may be pushed to the agent.' })
  capacity!: number
}

/** SQL of an agent's state, for a user `u` joined with `left join staff s`. */
const STATE = `u.id as user_id, coalesce(s.availability, 'offline') as availability, s.reason, s.reason_code_id, s.since, s.wrap_up_until, s.wrap_up_conversation_id,
  coalesce(s.capacity, ${CAPACITY.default}) as capacity`

/** Reads the states of the users that exist; the caller has checked that they may be seen. */
export async function readAgentStates(sql: Sql, users: readonly string[]): Promise<AgentState[]> {
  const rows = await sql.query<Record<string, unknown>>(
    `select ${STATE} from app_user u left join staff s on s.user_id = u.id where u.id = any($1::uuid[]) order by u.id`,
    [users],
    'agent-states',
  )
  return rows.map((row) => camelRow<AgentState>(row))
}

/** Leaves out bots, unless they take conversations as agents do. */
const TAKES_PART = `(u.role <> 'bot' or s.user_id is not null) and u.status <> 'archived'`

/** Reads the state of a user as screens of channels show it; null for one whom they do not show. */
export async function readShownAgent(sql: Sql, user: string): Promise<AgentState | null> {
  const rows = await sql.query<Record<string, unknown>>(
    `select ${STATE} from app_user u left join staff s on s.user_id = u.id where u.id = $1 and ${TAKES_PART}`,
    [user],
    'shown-agent',
  )
  return rows[0] ? camelRow<AgentState>(rows[0]) : null
}

/** Reads the states of the channels' members, each once. */
export async function readAgentsOf(sql: Sql, channels: readonly string[]): Promise<AgentState[]> {
  const rows = await sql.query<Record<string, unknown>>(
    `select ${STATE} from app_user u left join staff s on s.user_id = u.id
     where u.id in (select user_id from channel_member where channel_id = any($1::uuid[]))
       and ${TAKES_PART}
     order by u.id`,
    [channels],
    'agents-of-channels',
  )
  return rows.map((row) => camelRow<AgentState>(row))
}

/** Skills by user, in the order of their names; for users whose state the caller sees. */
export const heldSkillsLoader: LoaderDefinition<HeldSkill[]> = {
  async load(ctx, users) {
    const rows = await ctx.reads.query<HeldSkill & { user: string }>(
      `select h.user_id as user, k.id, k.name from staff_skill h join skill k on k.id = h.skill_id
       where h.user_id = any($1::uuid[]) order by h.user_id, lower(k.name), k.id`,
      [users.filter(isId)],
      'held-skills',
    )
    const skills = new Map<string, HeldSkill[]>(users.map((id) => [id, []]))
    for (const { user, id, name } of rows) skills.get(user)?.push({ id, name })
    return skills
  },
}
