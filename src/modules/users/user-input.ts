import { Field, ID, InputType } from 'type-graphql'
import { SCOPES, type Role } from '../../platform/access/scopes.js'
import type { MaskedKind } from '../../platform/masking/masker.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { parseList, parseOneOf, parseText, parseUrl } from '../../platform/input.js'
import { parseMeta, replaceMeta, type JsonObject } from '../../platform/json.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import { IfVersion } from '../../platform/lists/record-version.js'
import { UserRole, UserStatus, type User } from './user.js'
import { MaskedKindEnum } from './mask.js'
import { TokenScope } from './token-scope.js'
import { parseSettings, UserSettingsInput } from './user-settings.js'

const optional = { nullable: true } as const

/** Fields of a user that clients may set. */
@InputType()
export class UserFieldsInput {
  @Field(() => String, { nullable: true, description: 'Email address, used to log in.' }) email?: string
  @Field(() => String, optional) familyName?: string | null
  @Field(() => String, optional) givenName?: string | null
  @Field(() => String, optional) additionalName?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'Name shown in user interfaces; defaults to the composed names.',
  })
  displayName?: string | null
  @Field(() => String, {
    nullable: true,
    description:
      'Full name. Sets the displayName of a user without other names; otherwise it is composed and ignored here.',
  })
  name?: string | null
  @Field(() => String, optional) phone?: string | null

  @Field(() => String, { nullable: true, description: "Password; changing it ends the user's other sign-ins." })
  password?: string

  @Field(() => String, { nullable: true, description: 'Address of an image that is shown of the user.' }) avatar?:
    | string
    | null

  @Field(() => ID, { nullable: true, description: "Organization in or below the caller's." })
  organization?: string

  @Field(() => UserRole, { nullable: true, description: 'Role; only an owner can make or change an owner.' })
  role?: Role

  @Field(() => UserSettingsInput, { nullable: true, description: 'Replaces all settings.' })
  settings?: UserSettingsInput | null

  @Field(() => JsonObjectScalar, optional) meta?: JsonObject | null

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'For bots: `User.disclosure`, at most 500 characters for each two-letter language.',
  })
  disclosure?: JsonObject | null

  @Field(() => [MaskedKindEnum], {
    nullable: true,
    description: 'For bots: `User.mask`. Replaces the list; none or empty: it reads all.',
  })
  mask?: MaskedKind[] | null

  @Field(() => UserStatus, {
    nullable: true,
    description: '`QUEUED` for a new user, bots too. `INVITED` sends an invitation by email.',
  })
  status?: UserStatus
}

@InputType({
  description:
    'Changes of a user. Only the given keys change; `null` clears. Users may change their own names, phone, avatar, ' +
    'password, settings and meta; everything else needs an administrator.',
})
export class UpdateUserInput extends UserFieldsInput {
  @IfVersion() ifVersion?: number | null

  @Field(() => String, {
    nullable: true,
    description:
      "The caller's current password, required to change one's own `password` or `email`. An API token can change neither.",
  })
  currentPassword?: string | null
}

@InputType({ description: 'A new user (4.2).' })
export class CreateUserInput extends UserFieldsInput {
  @Field(() => String)
  declare email: string

  @Field(() => Boolean, { nullable: true, description: 'Invite the user by email to finish registration.' })
  invite?: boolean | null

  @Field(() => [TokenScope], {
    nullable: true,
    description: "Scopes of a bot's API token (section 5.3); `BOT` by default. The role's limits apply.",
  })
  scopes?: TokenScope[] | null
}

/** Fields that users may change themselves; see also `user.updateSelf` in section 5's table. */
export const SELF_FIELDS: ReadonlySet<keyof UpdateUserInput> = new Set([
  'ifVersion',
  'currentPassword',
  'familyName',
  'givenName',
  'additionalName',
  'displayName',
  'name',
  'phone',
  'avatar',
  'password',
  'settings',
  'meta',
])

const NAME_CHARS_MAX = 200
const EMAIL_CHARS_MAX = 254
const PHONE_CHARS_MAX = 50

type Profile = Pick<User, 'familyName' | 'givenName' | 'additionalName' | 'displayName' | 'phone' | 'avatar'>
type Plain = Profile & Pick<User, 'email' | 'settings' | 'meta'>

const name = (value: unknown, field: string): string => parseText(value, field, { max: NAME_CHARS_MAX })

const PARSERS: { [K in keyof Profile]: (value: unknown, field: string) => Profile[K] } = {
  familyName: name,
  givenName: name,
  additionalName: name,
  displayName: name,
  phone: (value, field) => parseText(value, field, { max: PHONE_CHARS_MAX }),
  avatar: (value, field) => parseUrl(value, field, ['http', 'https']),
}

/**
 * Parses the given plain fields; those that need more than parsing (organization, role, status, password) are handled
 * by the caller.
 * @param stored the metadata that a patch replaces: the system's keys stay
 * @throws BadUserInput naming field and value
 */
export function readUserInput(input: UserFieldsInput, stored: JsonObject = {}): Partial<Plain> {
  const fields: Partial<Plain> = {}
  for (const key of Object.keys(PARSERS) as (keyof Profile)[]) {
    const value = input[key]
    if (value !== undefined) fields[key] = value === null ? null : PARSERS[key](value, key)
  }
  const isNamed = (['displayName', 'givenName', 'additionalName', 'familyName'] as const).some((key) => input[key])
  if (input.name && !isNamed) fields.displayName = PARSERS.displayName(input.name, 'name')
  if (input.email !== undefined) fields.email = parseEmail(input.email, 'email')
  if (input.settings !== undefined) fields.settings = parseSettings(input.settings)
  if (input.meta !== undefined) fields.meta = readMeta(input.meta, stored)
  return fields
}

function readMeta(value: JsonObject | null, stored: JsonObject): JsonObject | null {
  const meta = Object.keys(stored).length > 0 ? replaceMeta(stored, value, 'meta') : parseMeta(value, 'meta')
  return value === null && Object.keys(meta).length === 0 ? null : meta
}

/** Simple on purpose: only sending mail shows whether an address exists. @throws BadUserInput */
export function parseEmail(value: unknown, field: string): string {
  const email = parseText(value, field, { max: EMAIL_CHARS_MAX })
  if (/^[^\s@<>]+@[^\s@<>]+$/.test(email) && !/\p{Cc}/u.test(email)) return email
  throw new BadUserInput(field, `${field} ${quoteValue(value)} is not an email address`)
}

/** Parses the scopes of an API token (section 5.3): one or more. @throws BadUserInput */
export function parseScopes(value: unknown, field: string): string[] {
  const scopes = parseList(value ?? ['bot'], field, SCOPES.length)
  if (scopes.length === 0) throw new BadUserInput(field, `${field} must name at least one scope`)
  return scopes.map((scope, index) => parseOneOf(scope, `${field}[${index}]`, SCOPES))
}
