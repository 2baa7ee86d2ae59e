import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { TextArray } from '../../platform/db/text-array.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { isAbsent, parseList, parseOneOf } from '../../platform/input.js'
import { Node } from '../../platform/lists/node.js'
import { IfVersion } from '../../platform/lists/record-version.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { AvailabilityEnum, type Availability } from './availability.js'

const NAME = 'Not blank, at most 200 characters; unique in the organization, ignoring case.'
/** States in which an agent gets no offers because of something it does. */
const CODED = ['busy', 'away', 'offline'] as const satisfies Availability[]
const CODED_DEFAULT = ['busy', 'away'] as const
const AVAILABILITIES = '`BUSY`, `AWAY` and `OFFLINE`, with which it can be given; `BUSY` and `AWAY` by default.'

@Entity({ tableName: 'reason_code' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'Reason for which agents take no conversations, such as a lunch break or training, which reports count.',
})
export class ReasonCode extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String, { description: NAME })
  name!: string

  @Property({ type: TextArray })
  @Field(() => [AvailabilityEnum], { description: AVAILABILITIES })
  availabilities!: Availability[]
}

@InputType({ description: 'Only the given keys change.' })
export class UpdateReasonCodeInput {
  @Field(() => String, { nullable: true, description: NAME })
  name?: string | null

  @Field(() => [AvailabilityEnum], { nullable: true, description: AVAILABILITIES })
  availabilities?: Availability[] | null

  @IfVersion() ifVersion?: number | null
}

@InputType({ description: 'A new reason code.' })
export class CreateReasonCodeInput {
  @Field(() => String, { description: NAME })
  name!: string

  @Field(() => [AvailabilityEnum], { nullable: true, description: AVAILABILITIES })
  availabilities?: Availability[] | null

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}

/** @throws BadUserInput naming `availabilities` */
export function parseCodedStates(value: unknown): Availability[] {
  if (isAbsent(value)) return [...CODED_DEFAULT]
  const given = parseList(value, 'availabilities', CODED.length).map((each, index) =>
    parseOneOf(each, `availabilities[${index}]`, CODED),
  )
  if (given.length === 0) throw new BadUserInput('availabilities', `availabilities ${quoteValue(given)} must name one`)
  return CODED.filter((each) => given.includes(each))
}
