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

@InputType('OidcSettingsInput', { description: 'Settings of a service of type `oidc`.' })
@ObjectType('OidcSettings', {
  simpleResolvers: true,
  description:
    'Settings of a service of type `oidc`: a provider by which users of the organization and of those below it sign in (OpenID Connect).',
})
export class OidcSettings {
  @Field(() => String, {
    nullable: true,
    description: 'The address of the provider as it calls itself, with https. Needed; a write asks the provider.',
  })
  issuer?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Id of the application at the provider. Without it nobody can sign in yet.',
  })
  clientId?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Secret: reads return `********`. Absent for an application that has none.',
  })
  clientSecret?: string | null

  @Field(() => [String], {
    nullable: true,
    description: 'Scopes to ask for; `openid`, `email` and `profile` if absent.',
  })
  scopes?: string[] | null

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

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the return address is `/sso/return/<service>` in place of `/sso/return`. Set by what the provider supports: one that does not ' +
      'name itself in its answers (RFC 9207) needs it, so that another provider cannot answer for it.',
  })
  ownReturn?: boolean | null
}
