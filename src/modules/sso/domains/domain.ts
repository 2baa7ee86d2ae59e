import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { Node } from '../../../platform/lists/node.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import { TenantRecord } from '../../../platform/lists/tenant-record.js'

export const DomainStatus = graphqlEnum('DomainStatus', 'Whether a domain is proven to be the organization’s.', {
  PENDING: ['pending', 'Not proven: no record of its DNS says so yet, or none says so any more.'],
  VERIFIED: ['verified', 'Proven by a record of its DNS.'],
  MISSING: [
    'missing',
    'Proven, but the record of its DNS is gone: it counts as verified for seven days from `missingSince` on.',
  ],
})
export type DomainStatus = (typeof DomainStatus)[keyof typeof DomainStatus]

@Entity({ tableName: 'domain' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description:
    'A domain of emails that an organization owns, as a TXT record in its DNS proves. A domain belongs to one organization of the installation.',
})
export class Domain extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String, { description: 'As DNS has it, in lower case.' })
  name!: string

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'Time since which it is verified.' })
  verifiedAt!: Date | null

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'Time of the last look at its DNS; of a verified one daily.' })
  checkedAt!: Date | null

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time since which the record of a verified domain is missing.',
  })
  missingSince!: Date | null
}

@ObjectType({ simpleResolvers: true, description: 'The TXT record that proves a domain.' })
export class DomainRecord {
  @Field(() => String, { description: 'Name of the record: `_switchboard.example.com`.' })
  name!: string

  @Field(() => String, { description: 'The value; others may stand beside it.' })
  value!: string
}

@InputType({ description: 'A domain to be verified.' })
export class AddDomainInput {
  @Field(() => String, { description: 'Such as `example.com`.' })
  name!: string

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}

export function statusOf({ verifiedAt, missingSince }: Pick<Domain, 'verifiedAt' | 'missingSince'>): DomainStatus {
  if (!verifiedAt) return 'pending'
  return missingSince ? 'missing' : 'verified'
}
