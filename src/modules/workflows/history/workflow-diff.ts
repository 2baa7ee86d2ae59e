import { Field, ID, Int, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { Json } from '../../../platform/lists/scalars.js'
import type { JsonValue } from '../facts.js'
import type { RuleDefinition } from '../rule-definition.js'
import { WorkflowRule } from '../workflow.js'
import { diffWorkflows, type Part, type PartDifference, type RuleDifference } from './diff-workflows.js'
import { partWords, ruleWords, type NameOf } from './diff-words.js'
import { targetsOf } from './record-change.js'
import type { WorkflowState } from './workflow-change.js'

export const RuleDifferenceKindEnum = graphqlEnum('RuleDifferenceKind', 'Kinds of difference of a rule.', {
  ADDED: ['added', 'Only the later state has the rule.'],
  REMOVED: ['removed', 'Only the earlier state has the rule.'],
  CHANGED: ['changed', 'Both have the rule, with other conditions or another event.'],
})

@ObjectType({
  simpleResolvers: true,
  description: 'A part of a workflow or of a rule that differs between two states.',
})
export class WorkflowPartDiff implements PartDifference {
  @Field(() => String, {
    description: '`conditions`, `priority`, or a parameter of the event; of a workflow `name` or one of its limits.',
  })
  part!: Part
  @Field(() => Json, { nullable: true, description: 'Value in the earlier state; null if there was none.' })
  from!: JsonValue
  @Field(() => Json, { nullable: true, description: 'Value in the later state; null if there is none.' })
  to!: JsonValue
  @Field(() => String, { description: 'The difference in words, in English.' }) words!: string
}

@ObjectType({ simpleResolvers: true, description: 'A rule that differs between two states of a workflow.' })
export class WorkflowRuleDiff implements RuleDifference {
  @Field(() => ID, { description: 'Id of the rule, the same in both states.' }) id!: string
  @Field(() => RuleDifferenceKindEnum, { description: 'Whether the rule was added, removed or changed.' })
  kind!: RuleDifference['kind']
  @Field(() => WorkflowRule, { nullable: true, description: 'The rule in the earlier state.' })
  before!: RuleDefinition | null
  @Field(() => WorkflowRule, { nullable: true, description: 'The rule in the later state.' })
  after!: RuleDefinition | null
  @Field(() => [WorkflowPartDiff], { description: 'The parts of a rule that was changed.' }) parts!: WorkflowPartDiff[]
  @Field(() => String, { description: 'The difference in words, in English.' }) words!: string
}

@ObjectType({ simpleResolvers: true, description: 'A channel, user or skill that differing rules name.' })
export class WorkflowDiffTarget {
  @Field(() => ID) id!: string
  @Field(() => String, { description: 'Present name, else the one of then; the id if neither is known.' }) name!: string
}

@ObjectType({ simpleResolvers: true, description: 'Differences between two states of a workflow.' })
export class WorkflowDiff {
  @Field(() => Int, { nullable: true, description: 'Number of the earlier state; null for the present one.' })
  from!: number | null
  @Field(() => Int, { nullable: true, description: 'Number of the later state; null for the present one or a draft.' })
  to!: number | null
  @Field(() => [WorkflowPartDiff], { description: 'Differences of the name and the limits.' })
  parts!: WorkflowPartDiff[]
  @Field(() => [WorkflowRuleDiff], { description: 'Rules that were removed, changed and added.' })
  rules!: WorkflowRuleDiff[]
  @Field(() => [WorkflowDiffTarget], { description: 'Channels, users and skills that the differing rules name.' })
  targets!: WorkflowDiffTarget[]
}

/** Describes the differences between two states. */
export function describeDiff(
  from: WorkflowState,
  to: WorkflowState,
  nameOf: NameOf,
  numbers: { from: number | null; to: number | null },
): WorkflowDiff {
  const { parts, rules } = diffWorkflows(from, to)
  const named = rules.flatMap(({ before, after }) => [before, after].filter((rule) => rule !== null))
  const told = (part: PartDifference): WorkflowPartDiff => ({ ...part, words: partWords(part, nameOf) })
  return {
    ...numbers,
    parts: parts.map(told),
    rules: rules.map((rule) => ({
      ...rule,
      id: (rule.after ?? rule.before)!.id,
      parts: rule.parts.map(told),
      words: ruleWords(rule, nameOf),
    })),
    targets: idsIn(named).map((id) => ({ id, name: nameOf(id) })),
  }
}

function idsIn(rules: readonly RuleDefinition[]): string[] {
  const users = rules.flatMap(({ event }) => event.params.users ?? [])
  return [...new Set([...targetsOf({ rules }), ...users])]
}
