import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, ObjectType } from 'type-graphql'
import type { Role } from '../access/scopes.js'
import { TextArray } from '../db/text-array.js'
import type { JsonObject } from '../json.js'
import { rowLoader } from '../lists/rows.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../lists/scalars.js'
import type { StoredSettings } from './user-settings.js'
import { graphqlEnum } from '../lists/graphql-enum.js'
import { Node } from '../lists/node.js'
import { TenantRecord } from '../lists/tenant-record.js'
import { Profile } from './profile.js'
import { UserRole } from './user-role.js'

export { UserRole }

export const UserStatus = graphqlEnum(
  'UserStatus',
  "Status of a user in the organization (2.2). Only an active user's tokens are valid; signing in activates a queued user.",
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
  implements: [Node, Profile],
  simpleResolvers: true,
  description: 'A registered user: agent, administrator or bot (2.2).',
})
export class User extends TenantRecord {
  @Field(() => ID)
  declare organizationId: string

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true })
  familyName!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true })
  givenName!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Can be a middle name.' })
  additionalName!: string | null

  /** As specified; shown by `displayNameOf`. */
  @Property({ type: 'text', nullable: true })
  displayName!: string | null

  @Property({ type: 'text' })
  @Field(() => String, { description: 'Email address, used to log in; unique ignoring case.' })
  email!: string

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true })
  phone!: string | null

  @Property({ type: 'text', nullable: true, hidden: true })
  passwordHash!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'URL.' })
  avatar!: string | null

  @Property({ type: 'text' })
  @Field(() => UserRole)
  role!: Role

  @Property({ type: 'text' })
  @Field(() => UserStatus)
  status!: UserStatus

  /** As specified; see `effectiveSettings` for those in effect. */
  @Property({ type: 'json' })
  settings!: StoredSettings

  @Property({ type: 'json', nullable: true })
  @Field(() => JsonObjectScalar, { nullable: true, description: 'Passed on to external systems.' })
  meta!: JsonObject | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Origin of the account: `local`.' })
  provider!: string | null

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, { nullable: true })
  lastLogin!: Date | null

  /** Scopes of the API token, for role bot. */
  @Property({ type: TextArray, nullable: true })
  apiScopes!: string[] | null

  @Property({ type: 'text', nullable: true, hidden: true })
  apiTokenHash!: string | null

  @Property({ type: 'uuid', nullable: true, hidden: true })
  apiTokenId!: string | null

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

function composedName({ givenName, additionalName, familyName }: Named): string {
  return [givenName, additionalName, familyName].filter(Boolean).join(' ')
}

/** Loads complete users within the caller's tenants, for references available to administrators and bots only. */
export const userLoader = rowLoader<User>('app_user')
