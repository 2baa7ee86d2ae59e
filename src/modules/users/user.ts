import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Extensions, Field, ID, ObjectType } from 'type-graphql'
import type { Role } from '../../platform/access/scopes.js'
import { MASKED_KINDS, type MaskedKind } from '../../platform/masking/masker.js'
import { TextArray } from '../../platform/db/text-array.js'
import type { JsonObject } from '../../platform/json.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import type { Disclosure } from './disclosure.js'
import { MaskedKindEnum } from './mask.js'
import type { StoredSettings } from './user-settings.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { UserRole } from './user-role.js'

export { UserRole }

export const UserStatus = graphqlEnum(
  'UserStatus',
  "Status of a user in the organization (2.2). Signing in activates a queued user; a bot's API token is valid unless it is archived.",
  {
    QUEUED: ['queued', 'Created, and has not signed in yet.'],
    INVITED: ['invited', 'Was mailed an invitation, and has not chosen a password yet.'],
    ACTIVE: ['active', 'Can sign in.'],
    ARCHIVED: ['archived', 'Cannot sign in any more.'],
  },
)
export type UserStatus = (typeof UserStatus)[keyof typeof UserStatus]

@Entity({ tableName: 'app_user' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description:
    'A registered user: agent, administrator or bot (2.2). Everybody in a conversation sees who takes part: id, organization, ' +
    'names as shown, avatar and role. The rest is null unless the caller may fetch the user (section 5).',
})
export class User extends TenantRecord {
  @Field(() => ID)
  declare organizationId: string

  @Property({ type: 'text', nullable: true })
  familyName!: string | null

  @Property({ type: 'text', nullable: true })
  givenName!: string | null

  @Property({ type: 'text', nullable: true })
  additionalName!: string | null

  /** As specified; shown by `displayNameOf`. */
  @Property({ type: 'text', nullable: true })
  displayName!: string | null

  @Property({ type: 'text' })
  email!: string

  @Property({ type: 'text', nullable: true })
  phone!: string | null

  @Property({ type: 'text', nullable: true, hidden: true })
  passwordHash!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Address of the image that is shown of the user.' })
  avatar!: string | null

  @Property({ type: 'text' })
  @Field(() => UserRole)
  role!: Role

  @Property({ type: 'text' })
  status!: UserStatus

  /** As specified; see `effectiveSettings` for those in effect. */
  @Property({ type: 'json' })
  settings!: StoredSettings

  @Property({ type: 'json', nullable: true })
  meta!: JsonObject | null

  @Property({ type: 'text', nullable: true })
  provider!: string | null

  @Property({ type: 'datetime', nullable: true })
  lastLogin!: Date | null

  /** Scopes of the API token, for role bot. */
  @Property({ type: TextArray, nullable: true })
  apiScopes!: string[] | null

  @Property({ type: 'text', nullable: true, hidden: true })
  apiTokenHash!: string | null

  @Property({ type: 'uuid', nullable: true, hidden: true })
  apiTokenId!: string | null

  @Property({ type: 'json', nullable: true })
  @Field(() => JsonObjectScalar, {
    nullable: true,
    description:
      "A bot's words that it is one, by language (`{en, nl}`): they open its first message to the consumer in a case, on every touchpoint.",
  })
  disclosure!: Disclosure | null

  @Property({ type: TextArray, nullable: true })
  @Extensions({ listLength: MASKED_KINDS.length })
  @Field(() => [MaskedKindEnum], {
    nullable: true,
    description:
      'Kinds that a bot does not read: each is `[email 1]`, `[card 2]` in all texts that it gets, the same one with the same number in the whole answer.',
  })
  mask!: MaskedKind[] | null

  /** Since it has its role and organization, from which on the sign-in policy counts; null: since it was created. */
  @Property({ type: 'datetime', columnType: 'timestamptz', nullable: true })
  placedAt!: Date | null

  /** Only set in the answer that creates the token: only its hash is stored. */
  @Field(() => String, {
    nullable: true,
    description: 'API token of a bot (section 5). Only shown by the mutation that creates it.',
  })
  apiToken?: string
}

/** The columns that make up a user's names. */
export type Named = Pick<User, 'displayName' | 'givenName' | 'additionalName' | 'familyName'>

/**
 * Returns `displayName` of 2.2: as specified, else composed of the names. A user without any is called `User`, never by
 * email.
 */
export function displayNameOf(user: Named): string {
  return user.displayName || composedName(user) || 'User'
}

/** Returns `name` of 2.2: the full name. */
export function nameOf(user: Named): string {
  return composedName(user) || displayNameOf(user)
}

/** SQL of `composedName` of the user at `alias`; null without any. */
export const composedNameSql = (alias: string): string => {
  const names = ['given_name', 'additional_name', 'family_name'].map((column) => `nullif(${alias}.${column}, '')`)
  return `nullif(concat_ws(' ', ${names.join(', ')}), '')`
}

function composedName({ givenName, additionalName, familyName }: Named): string {
  return [givenName, additionalName, familyName].filter(Boolean).join(' ')
}
