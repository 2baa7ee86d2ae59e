import { Field, ID, Int, ObjectType } from 'type-graphql'
import type { JsonObject as Json } from '../../platform/json.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { DateTime, JsonObject } from '../../platform/lists/scalars.js'
import type { ChainFault } from './audit-chain.js'

@ObjectType({ simpleResolvers: true, description: 'The actor of an audit entry.' })
export class AuditActor {
  @Field(() => String, { description: '`user`, `contact`, `operator` of the installation, or `system`.' }) kind!: string
  @Field(() => ID, { nullable: true, description: 'Id of the user or contact.' }) id!: string | null
}

@ObjectType({ simpleResolvers: true, description: 'The record that an audit entry is about.' })
export class AuditSubject {
  @Field(() => String, { description: 'Kind of the record, such as `channel` or `user`.' }) type!: string
  @Field(() => ID, { description: 'Id of the record, which may have been deleted since.' }) id!: string
}

@ObjectType({
  simpleResolvers: true,
  description:
    'An entry of the audit log: an action of an administrator or of the operator, a sign-in or its refusal. Written in the transaction of ' +
    'the action, never changed, and chained to the entry before it by its hash within a second or two.',
})
export class AuditEntry {
  @Field(() => ID) id!: string
  @Field(() => ID, { description: 'Organization that it is about.' }) organizationId!: string
  @Field(() => Int, { nullable: true, description: 'Place in the chain of the contact center; null for a moment.' })
  number!: number | null
  @Field(() => DateTime) at!: Date
  @Field(() => String, {
    description: 'Name of the mutation, or `signIn`, `signInRefused`, `signOut`, `identityLinked`, `resetPassword`.',
  })
  action!: string
  @Field(() => AuditActor, { description: 'Actor: a user, a contact, the operator or the system.' }) actor!: AuditActor
  @Field(() => AuditSubject, { nullable: true, description: 'Record that it is about.' }) object!: AuditSubject | null
  @Field(() => JsonObject, {
    nullable: true,
    description:
      'Network, browser and session of the actor; `changes` with old and new values of settings. Values of secrets and of consumers are not ' +
      'kept. Null after `AUDIT_DETAIL_DAYS`.',
  })
  details!: Json | null
  @Field(() => String, { nullable: true, description: 'SHA-256 over the entry before it and this one.' }) hash!:
    | string
    | null
}

export const ChainFaultEnum = graphqlEnum('AuditFaultKind', 'Faults of an audit chain.', {
  MISSING: ['missing', 'The entry with this number is not there.'],
  ALTERED: ['altered', 'The entry is not what its hash was made of.'],
  DETAILS: ['details', 'The details are not those to which the entry is committed.'],
  SEALED: ['sealed', 'A seal says another hash.'],
  CUT: ['cut', 'A seal is of a later entry than the last.'],
})

@ObjectType({ simpleResolvers: true, description: 'A place at which the chain is not what it was.' })
export class AuditFault {
  @Field(() => Int, { description: 'Number of the entry.' }) number!: number
  @Field(() => ChainFaultEnum, { description: 'Rule of the chain that the entry breaks.' }) fault!: ChainFault['fault']
}

@ObjectType({ simpleResolvers: true, description: 'Result of verifying a part of the audit chain.' })
export class AuditVerification {
  @Field(() => Int, { description: 'First number that was verified.' }) from!: number
  @Field(() => Int, { description: 'Last number that was verified.' }) to!: number
  @Field(() => Boolean, { description: 'True if there is no fault.' }) isWhole!: boolean
  @Field(() => [AuditFault], { description: 'The first hundred faults.' }) faults!: ChainFault[]
  @Field(() => Int, { description: 'Entries that have no place in the chain yet.' }) unchained!: number
  @Field(() => Int, { description: 'Entries of the chain that no seal covers yet.' }) unsealed!: number
}

@ObjectType({ simpleResolvers: true, description: 'A part of the audit log for export.' })
export class AuditExport {
  @Field(() => String, { description: 'An entry each line, as `npm run audit:verify` reads them.' }) lines!: string
  @Field(() => Int, { nullable: true, description: 'Number of the last entry; null if there is none after `after`.' })
  last!: number | null
}
