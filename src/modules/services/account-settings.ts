import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { UserRole } from '../users/user-role.js'
import type { Role } from '../../platform/access/scopes.js'

const CLAIM = 'A claim of the provider, or the path to one within others: `realm_access.roles`.'
const ROLE = 'The role: `VIEWER`, `AGENT` or `ADMIN`.'

@InputType('OidcRoleInput', { description: 'A row of the role map.' })
@ObjectType('OidcRole', {
  simpleResolvers: true,
  description: 'A row of the role map: who has the value in the claim, or in its list, gets the role and the channels.',
})
export class OidcRole {
  @Field(() => String, { description: CLAIM })
  claim!: string

  @Field(() => String, { description: 'The value, letter by letter.' })
  value!: string

  @Field(() => UserRole, { description: ROLE })
  role!: Role

  @Field(() => [ID], { nullable: true, description: 'Channels of which the user becomes a member.' })
  channels?: string[] | null
}

/** Settings that providers of all types have: who gets which account. */
@InputType()
@ObjectType()
export abstract class AccountSettings {
  @Field(() => [String], {
    nullable: true,
    description:
      'Domains of emails whose users sign in by the provider, and for which it may say that an email is verified. Each counts once it is ' +
      'a verified domain of the organization, of one above it or below it.',
  })
  domains?: string[] | null

  @Field(() => [OidcRole], {
    nullable: true,
    description: 'Roles and channels by claims: the first row that fits gives the role, all that fit their channels.',
  })
  roleMap?: OidcRole[] | null

  @Field(() => UserRole, {
    nullable: true,
    description: `${ROLE} Of those whom no row fits; without it they get no account.`,
  })
  defaultRole?: Role | null

  @Field(() => Boolean, { nullable: true, description: 'Whether who has no account gets one; false by default.' })
  createUsers?: boolean | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether each sign-in sets the role and the channels of the map anew, and refuses whom no row fits; false by default.',
  })
  syncRoles?: boolean | null

  @Field(() => Int, {
    nullable: true,
    description: 'Hours after which a session ends, however much it is used: 1 to 8,760.',
  })
  maxSessionHours?: number | null
}
