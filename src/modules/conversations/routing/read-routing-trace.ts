import { Field, ID, Int, ObjectType } from 'type-graphql'
import { isAllowed } from '../../../platform/access/permissions.js'
import type { Context } from '../../../platform/context.js'
import { BadUserInput } from '../../../platform/errors.js'
import { tenantSql } from '../../../platform/db/tenancy.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import { explainDecision, type DecisionBasis } from '../../workflows/decision-basis.js'
import type { RuleEngines } from '../../workflows/evaluation.js'
import { RoutingTraceEntry } from '../../workflows/routing-trace.js'
import { readVersions } from '../../workflows/workflow-versions.js'

@ObjectType({ simpleResolvers: true, description: 'The routing decision of one queueing, with its reasons (3.4).' })
export class RoutingTrace {
  @Field(() => ID) id!: string
  conversationId!: string
  @Field(() => Int, { description: 'Number of the queueing in the conversation, from 1.' }) queueing!: number
  @Field(() => String, { description: 'Cause of the queueing.' }) trigger!: string
  @Field(() => [RoutingTraceEntry], { description: 'Rules in order of processing.' }) entries!: RoutingTraceEntry[]
  @Field(() => DateTime) createdAt!: Date
}

const TRACES_DEFAULT = 10
const TRACES_MAX = 50

interface DecisionRow extends RoutingTrace {
  facts: DecisionBasis['facts'] | null
  workflows: DecisionBasis['workflows'] | null
}

/** Returns the queueings of a conversation, newest first. @throws BadUserInput for more than `TRACES_MAX` of them */
export async function readRoutingTrace(
  ctx: Context,
  engines: RuleEngines,
  conversation: string,
  first = TRACES_DEFAULT,
): Promise<RoutingTrace[]> {
  if (first < 1 || first > TRACES_MAX) {
    throw new BadUserInput('first', `first must be from 1 to ${TRACES_MAX}, not ${first}`)
  }
  const rows = await ctx.reads.query<Record<string, unknown>>(
    `select id, conversation_id, queueing, trigger, entries, facts, workflows, created_at from routing_decision
     where conversation_id = $1 order by id desc limit $2`,
    [conversation, first],
  )
  const decisions = rows.map((row) => camelRow<DecisionRow>(row))
  const versions = await readVersions(ctx.reads, versionsOf(decisions))
  const traces: RoutingTrace[] = []
  for (const { facts, workflows, ...decision } of decisions) {
    // Without a basis, the entries hold the complete trace.
    const entries =
      facts && workflows
        ? await explainDecision(engines, decision.entries, { facts, workflows }, versions)
        : decision.entries
    traces.push({ ...decision, entries })
  }
  return readableTraces(ctx, traces)
}

/**
 * Removes what the caller may not read. Every agent sees the decisions; rules and the values of their conditions
 * require permission to read workflows (section 5); for workflows of an organization above, only the fact that a rule
 * decided is visible.
 */
async function readableTraces(ctx: Context, traces: readonly RoutingTrace[]): Promise<RoutingTrace[]> {
  const ids = [...new Set(traces.flatMap(({ entries }) => entries.flatMap(({ workflow }) => workflow?.id ?? [])))]
  const values: unknown[] = [ids]
  const rows = await ctx.reads.query<{ id: string }>(
    `select t.id from workflow t where t.id = any($1::uuid[]) and (${tenantSql(ctx.tenant, 't', values)}) is not true`,
    values,
  )
  const above = new Set(rows.map(({ id }) => id))
  const mayReadRules = isAllowed(ctx.caller, 'workflow.fetch')
  const readable = (entry: RoutingTraceEntry): RoutingTraceEntry => {
    if (entry.workflow && above.has(entry.workflow.id)) {
      return { ...entry, workflow: null, rule: null, conditions: null, reason: ABOVE }
    }
    return mayReadRules ? entry : { ...entry, conditions: null }
  }
  return traces.map((trace) => ({ ...trace, entries: trace.entries.map(readable) }))
}

const ABOVE = 'a rule of an organization above decided'

/** Returns each version once: most decisions of a conversation share the same ones. */
function versionsOf(decisions: readonly DecisionRow[]): DecisionBasis['workflows'] {
  const named = decisions.flatMap(({ workflows }) => workflows ?? [])
  return [...new Map(named.map((each) => [`${each.id} ${each.version}`, each])).values()]
}
