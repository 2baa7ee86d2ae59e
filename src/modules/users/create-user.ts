import type { Context } from '../../platform/context.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { BadUserInput } from '../../platform/errors.js'
import type { Transact } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { Organization } from '../organizations/organization.js'
import type { Credentials, MintedToken } from './credentials.js'
import { parseDisclosure } from './disclosure.js'
import { parseMask } from './mask.js'
import { insertUser } from './insert-user.js'
import { parseScopes, readUserInput, type CreateUserInput } from './user-input.js'
import { checkOwnership, refuseInvitation, withUniqueEmail } from './user-rules.js'
import type { User, UserStatus } from './user.js'

export interface UserDependencies {
  transact: Transact
  credentials: Credentials
}

/**
 * Creates a user in or below the caller's organization (4.2). A bot gets its API token, which only the answer contains,
 * and may have a password too.
 * @throws NotFound for the organization, Unprocessable for an email in use, Forbidden to make an owner, BadUserInput
 */
export async function createUser(
  ctx: Context,
  { transact, credentials }: UserDependencies,
  input: CreateUserInput,
): Promise<User> {
  const role = input.role ?? 'agent'
  checkOwnership(ctx.userCaller, role)
  if (input.scopes != null && role !== 'bot') throw new BadUserInput('scopes', 'scopes are for the role bot only')
  if (role === 'bot') refuseInvitation(input)
  parseDisclosure(input.disclosure, role)
  const mask = parseMask(input.mask, role)
  const fields = readUserInput(input)
  const scopes = role === 'bot' ? parseScopes(input.scopes, 'scopes') : null
  const organizationId = input.organization ?? ctx.caller.organization
  const organization = await fetchRecord(ctx, Organization, organizationId, { field: 'organization' })
  // Before the transaction: hashing takes 20 ms, and may have to wait.
  const holder = { path: pathOf(organization), names: namesOf(input) }
  const passwordHash =
    input.password == null ? null : await credentials.hashPassword(ctx, input.password, 'password', holder)
  const id = ctx.newId()
  const minted = scopes && (await credentials.mintApiToken({ user: id, organization: organization.id, scopes }))
  const status = firstStatus(input)
  const user = await withUniqueEmail(input.email, () =>
    transact(ctx, (tx) =>
      insertUser(ctx, tx, {
        path: pathOf(organization),
        email: input.email,
        ...fields,
        ...tokenColumns(minted, scopes),
        disclosure: parseDisclosure(input.disclosure, role),
        mask,
        id,
        passwordHash,
        role,
        status,
        provider: 'local',
      }),
    ),
  )
  // Set only here, so that the answer stored for an idempotency key does not contain it.
  if (minted) user.apiToken = minted.token
  return user
}

/** Returns what a password must not contain. */
export function namesOf(user: {
  email?: string | null
  displayName?: string | null
  givenName?: string | null
  additionalName?: string | null
  familyName?: string | null
}): (string | null | undefined)[] {
  return [user.email, user.displayName, user.givenName, user.additionalName, user.familyName]
}

/** Returns the stored columns of an API token. */
export function tokenColumns(
  minted: MintedToken | null,
  scopes: string[] | null,
): Pick<User, 'apiScopes' | 'apiTokenId' | 'apiTokenHash'> {
  return { apiScopes: scopes, apiTokenId: minted?.id ?? null, apiTokenHash: minted?.hash ?? null }
}

/** `queued` by default, of bots too (2.2): their API tokens are valid all the same. */
function firstStatus({ status, invite }: CreateUserInput): UserStatus {
  if (invite) {
    if (status && status !== 'invited') throw new BadUserInput('invite', `invite is true, but status is ${status}`)
    return 'invited'
  }
  return status ?? 'queued'
}
