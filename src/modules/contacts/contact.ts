import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { tenantSql } from '../../platform/db/tenancy.js'
import type { JsonObject } from '../../platform/json.js'
import type { Embed } from '../../platform/lists/embedded.js'
import { Projection } from '../../platform/lists/projection.js'
import { projectedRowLoaders, rowLoader } from '../../platform/lists/rows.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import { recordNotFound } from '../../platform/lists/fetch-record.js'
import { ContactProfile, type StoredProfile } from './contact-profile.js'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { IfVersion } from '../../platform/lists/record-version.js'

export const ContactStatusEnum = graphqlEnum(
  'ContactStatus',
  'Status of a contact: whether it may write (3.1, `/block`).',
  {
    ACTIVE: ['active', 'The contact may write.'],
    BLOCKED: ['blocked', 'Messages of the contact are refused.'],
  },
)
export type ContactStatus = (typeof ContactStatusEnum)[keyof typeof ContactStatusEnum]
export const CONTACT_STATUSES = Object.values(ContactStatusEnum)

@Entity({ tableName: 'contact' })
@ObjectType({ implements: Node, simpleResolvers: true, description: 'A consumer who talks to an organization (2.11).' })
export class Contact extends TenantRecord {
  @Property({ type: 'json' })
  @Field(() => ContactProfile)
  profile!: StoredProfile

  /** Copy of the profile's value: unique in the organization. */
  @Property({ type: 'text', nullable: true })
  email!: string | null

  /** Copy of the profile's value: unique in the organization. */
  @Property({ type: 'text', nullable: true })
  telephone!: string | null

  @Property({ type: 'json', nullable: true })
  @Field(() => JsonObjectScalar, { nullable: true, description: 'Passed on to backend automations (2.12).' })
  meta!: JsonObject | null

  @Property({ type: 'text' })
  @Field(() => ContactStatusEnum)
  status!: ContactStatus

  /** Last network address of the contact, for blocking; never shown. */
  @Property({ type: 'text', nullable: true, hidden: true })
  address!: string | null

  /** Since when it is being erased; never shown. */
  @Property({ type: 'datetime', nullable: true, hidden: true })
  erasingAt!: Date | null
}

/** Refuses changes of a contact that is being erased: it stays empty. @throws NotFound */
export function requireKept({ id, erasingAt }: Pick<Contact, 'id' | 'erasingAt'>): void {
  if (erasingAt) throw recordNotFound('Contact', id)
}

@InputType({ description: 'A new contact.' })
export class CreateContactInput {
  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null

  @Field(() => ContactProfile, { nullable: true })
  profile?: ContactProfile | null

  @Field(() => JsonObjectScalar, { nullable: true, description: 'Keys beginning with `_` are refused (2.12).' })
  meta?: JsonObject | null
}

@InputType({ description: 'Changes of a contact. Only the given keys change; `null` clears.' })
export class UpdateContactInput {
  @IfVersion() ifVersion?: number | null

  @Field(() => ContactProfile, { nullable: true, description: 'Replaces the whole profile.' })
  profile?: ContactProfile | null

  @Field(() => JsonObjectScalar, { nullable: true, description: "Replaces all except the system's keys (2.12)." })
  meta?: JsonObject | null

  @Field(() => ContactStatusEnum, {
    nullable: true,
    description: "Status; `ACTIVE` also unblocks the contact's network address.",
  })
  status?: string | null
}

/** Complete contacts within the caller's tenants. */
export const contactLoader = rowLoader<Contact>('contact')

const contactProjection = (alias: string): Projection =>
  new Projection({
    alias,
    always: ['id'],
    reads: { organization: ['organizationId'], orgPath: ['org1', 'org2', 'org3'], presences: [] },
  })

/** Referenced contacts, such as `conversation.contact`, within the caller's tenants. */
export const contactLoaders = projectedRowLoaders<Contact>('contact', contactProjection('t'))

/** Embeds a referenced contact. @param id the reference, as an SQL column */
export const embeddedContact = (id: string): Embed => ({
  projection: contactProjection('ct'),
  sql: (object, scope, values) =>
    `(select ${object} from contact ct where ct.id = ${id} and ${tenantSql(scope, 'ct', values)})`,
})
