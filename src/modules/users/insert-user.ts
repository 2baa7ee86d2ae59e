import type { RequiredEntityData } from '@mikro-orm/core'
import type { Context } from '../../platform/context.js'
import type { OrganizationPath } from '../../platform/db/tenancy.js'
import { organizationStream } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { insertOwned, type MadeHere } from '../organizations/owned-record.js'
import { requireRoom } from '../organizations/quotas.js'
import { addInvitation } from './user-jobs.js'
import { eventOf } from './user-rules.js'
import { User } from './user.js'

/** The columns of a user of whom nothing is known. */
export const NO_PROFILE = {
  familyName: null,
  givenName: null,
  additionalName: null,
  displayName: null,
  phone: null,
  avatar: null,
  settings: {},
  meta: null,
  disclosure: null,
  mask: null,
  lastLogin: null,
  placedAt: null,
}

export const NO_CREDENTIALS = { passwordHash: null, apiScopes: null, apiTokenId: null, apiTokenHash: null }

/** A new user: what is not given is unknown, and there are no credentials. */
export interface NewUser extends Partial<
  Omit<RequiredEntityData<User>, MadeHere | 'id' | 'email' | 'role' | 'status' | 'provider'>
> {
  id?: string
  path: OrganizationPath
  email: string
  role: User['role']
  status: User['status']
  /** By whom the user signs in: `local`, or the type of a service. */
  provider: string
}

/**
 * Inserts a user, emits its event, and mails the invitation of one who is invited. Run it within `withUniqueEmail`, or examine
 * the email before. @throws Unprocessable at the contact center's quota
 */
export async function insertUser(ctx: Context, tx: WriteTx, { path, ...values }: NewUser): Promise<User> {
  if (values.status !== 'archived') await requireRoom(tx, path[0], 'users')
  const user = await insertOwned(ctx, tx, User, { path, ...NO_PROFILE, ...NO_CREDENTIALS, ...values })
  if (user.status === 'invited') addInvitation(tx, user.id)
  tx.emit(organizationStream(user.organizationId), 'user.created', eventOf(user))
  return user
}
