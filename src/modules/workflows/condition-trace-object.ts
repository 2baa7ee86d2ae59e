import { Extensions, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { PART_OF_RECORD } from '../../platform/lists/part-of-record.js'
import { Json } from '../../platform/lists/scalars.js'
import type { ConditionTrace } from './condition-trace.js'
import type { RoutingTraceEntry as Entry } from './routing-decision.js'
import type { JsonValue } from './facts.js'
import { RoutingTraceEntry } from './routing-trace.js'

export const ConditionKind = graphqlEnum('ConditionKind', 'Kind of a condition in a tree (4.6).', {
  ALL: ['all', 'Holds if all conditions below it hold.'],
  ANY: ['any', 'Holds if at least one condition below it holds.'],
  LEAF: ['leaf', 'Compares the value of a fact.'],
})

@Extensions(PART_OF_RECORD)
@ObjectType('ConditionTrace', {
  simpleResolvers: true,
  description:
    "A condition of a rule with its result. A rule's tree is listed from its root, each condition before those below it.",
})
export class ConditionTraceObject {
  @Field(() => Int, { description: 'Depth in the tree; 0 for the root.' })
  depth!: number

  @Field(() => ConditionKind, { description: 'Whether the condition is a leaf, or how it combines those below it.' })
  kind!: (typeof ConditionKind)[keyof typeof ConditionKind]

  @Field(() => String, { nullable: true, description: 'The fact of a leaf, such as `message`.' })
  fact?: string

  @Field(() => String, { nullable: true, description: 'The path of a leaf in its fact, such as `.text`.' })
  path?: string

  @Field(() => String, { nullable: true, description: 'The operator of a leaf (4.6).' })
  operator?: string

  @Field(() => Json, { nullable: true, description: 'The value of a leaf, to which the fact is compared; shortened.' })
  value?: JsonValue

  @Field(() => Boolean, { nullable: true, description: 'Whether a leaf found a value at its path.' })
  isFound?: boolean

  @Field(() => Json, { nullable: true, description: 'The value that a leaf found; shortened.' })
  factValue?: JsonValue

  @Field(() => Boolean, { description: 'Whether the condition holds; false if that is unknown.' })
  result!: boolean

  @Field(() => Boolean, {
    description: 'Whether the result is unknown: it depends on a fact that was not recorded with the decision.',
  })
  isUnknown!: boolean
}

@Resolver(() => RoutingTraceEntry)
export class ConditionTracesResolver {
  @FieldResolver(() => [ConditionTraceObject], {
    nullable: true,
    description: "The rule's tree of conditions, from its root; null if none was evaluated.",
  })
  conditions(@Root() { conditions }: Entry): ConditionTraceObject[] | null {
    return conditions && [...listed(conditions, 0)]
  }
}

function* listed(trace: ConditionTrace, depth: number): Generator<ConditionTraceObject> {
  if ('fact' in trace) {
    yield { ...trace, depth, kind: 'leaf', isFound: trace.factValue !== undefined, isUnknown: trace.unknown === true }
    return
  }
  const { result, unknown } = trace
  yield { depth, kind: 'all' in trace ? 'all' : 'any', result, isUnknown: unknown === true }
  for (const member of 'all' in trace ? trace.all : trace.any) yield* listed(member, depth + 1)
}
