import { LockMode } from '@mikro-orm/core'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { changesSoFar, detailsOfChanges } from '../../platform/db/record-changes.js'
import { Forbidden, Unavailable, Unprocessable } from '../../platform/errors.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { isUniqueViolation } from '../../platform/limits/idempotency.js'
import { markChanged, requireVersion } from '../../platform/lists/record-version.js'
import { lockToCount } from '../organizations/owned-record.js'
import { rightsOf } from '../sso/given-rights.js'
import type { GivenRole } from '../sso/provider-params.js'
import type { Provider, Providers } from '../sso/providers.js'
import { addRightsJob, removedNameSql } from '../sso/provisioning.js'
import { isOfDomains, isReached, isVerifiedFor } from '../sso/whose-account.js'
import { changeStatus } from '../users/change-status.js'
import { isProvisionedSql } from '../users/managed-elsewhere.js'
import { insertUser } from '../users/insert-user.js'
import { readUserInput } from '../users/user-input.js'
import { eventOf } from '../users/user-rules.js'
import { User } from '../users/user.js'
import { namedBy, type PersonChange } from './person-change.js'
import { EMAILS, KEPT_NAMES, type KeptName, type Person, type PersonRow } from './person.js'
import { readPersonRow } from './provisioned-users.js'
import type { Provisioner } from './provider-context.js'
import { scimError } from './scim-errors.js'

export interface PersonDependencies {
  transact: Transact
  accessChanges: AccessChanges
  providers: Pick<Providers, 'holdAny'>
}

/** The type of a user that a provider made. */
const SCIM = 'scim'
/** The role of whom the role map gives none yet: groups come after their members. */
export const LEAST_ROLE: GivenRole = 'viewer'
const TRIES_MAX = 3

/**
 * Makes a user of the provider's organization, or takes one on that is there already: an email of a domain that the provider speaks
 * for and its organization has verified is that person's. Neither an owner nor whom another provider provisions is taken on.
 * @throws BadUserInput; Unprocessable for a user name or an email that is taken, and at the quota
 */
export async function createPerson(
  ctx: Context,
  dependencies: PersonDependencies,
  provisioner: Provisioner,
  person: Person,
): Promise<PersonRow> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    try {
      return await write(ctx, dependencies, provisioner, (tx, provider) =>
        addPerson(ctx, tx, provider, provisioner, person),
      )
    } catch (error) {
      // Another request was first: the next attempt finds what it made.
      if (!isUniqueViolation(error, 'app_user_email')) throw error
    }
  }
  throw new Unavailable('the user is being changed; retry')
}

/**
 * Gives a user what the provider says. What it never said anything of stays.
 * @param change makes of the user as it is by then what it is to be @param ifVersion of the user
 * @throws NotFound, ChangedMeanwhile, BadUserInput; Unprocessable for a user name or an email that is taken, and for the last owner;
 *   Forbidden for an owner's email
 */
export async function updatePerson(
  ctx: Context,
  dependencies: PersonDependencies,
  provisioner: Provisioner,
  { id, ifVersion, change }: { id: string; ifVersion: number | null; change: (row: PersonRow) => PersonChange },
): Promise<PersonRow> {
  return write(ctx, dependencies, provisioner, async (tx, provider) => {
    const { user, row } = await lockPerson(ctx, tx, provisioner, id, ifVersion)
    return changePerson(ctx, tx, provider, provisioner, { user, row, ...change(row) })
  }).catch((error: unknown) => {
    throw isUniqueViolation(error, 'app_user_email') ? emailTaken() : error
  })
}

/**
 * Archives a user whom the provider deletes: access ends, history stays. The provider has no such user from then on, until it makes
 * one with the same email. @throws NotFound, ChangedMeanwhile; Unprocessable for the last owner
 */
export async function deletePerson(
  ctx: Context,
  dependencies: PersonDependencies,
  provisioner: Provisioner,
  { id, ifVersion }: { id: string; ifVersion: number | null },
): Promise<void> {
  await write(ctx, dependencies, provisioner, async (tx, provider) => {
    const { user, row } = await lockPerson(ctx, tx, provisioner, id, ifVersion)
    const ended: string[] = []
    if (user.status === 'archived') {
      await noteRemoval(ctx, tx, provider, user)
    } else {
      markChanged(user, ctx.now())
      ended.push(...(await archive(ctx, tx, provider, user)))
      await tx.em.flush()
      tx.emit(organizationStream(user.organizationId), 'user.updated', eventOf(user))
    }
    await tx.query('update scim_user set deleted_at = $2 where user_id = $1', [user.id, ctx.now()])
    // After it: whoever makes the user a member holds its row, and is seen by now.
    const left = await tx.query('delete from scim_member where user_id = $1 returning 1', [user.id])
    // What the groups gave is not to be there again when the provider makes the user anew.
    if (left.length > 0) {
      await tx.query('update scim_user set rights_due = gen_random_uuid() where user_id = $1', [user.id])
      addRightsJob(tx, provider.id)
    }
    return { action: 'deleteUser', user, row, accessChanged: [user.id, ...ended] }
  })
}

/** The work of a transaction, for its entry in the audit log and for those who keep somebody's access in memory. */
interface Written {
  /** Null if nothing changed. */
  action: 'createUser' | 'updateUser' | 'deleteUser' | null
  user: User
  row: PersonRow
  /** Those whose access may have changed. */
  accessChanged: readonly string[]
}

/** Runs a write while the provider stays as it is, and audits it as the mutation of the same name. */
async function write(
  ctx: Context,
  { transact, accessChanges, providers }: PersonDependencies,
  { provider: { id }, token }: Provisioner,
  work: (tx: WriteTx, provider: Provider) => Promise<Written>,
): Promise<PersonRow> {
  let accessChanged: readonly string[] = []
  const row = await transact(ctx, async (tx) => {
    const provider = await providers.holdAny(tx, id)
    const written = await work(tx, provider)
    const { action, user } = written
    if (action) {
      const changes = detailsOfChanges(changesSoFar(tx.em))
      const details = { provider: id, token, ...(changes.length > 0 && { changes }) }
      tx.addAudit({ action, object: { type: 'user', id: user.id }, organization: user.organizationId, details })
    }
    accessChanged = written.accessChanged
    return written.row
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'scim_user_name')) throw error
    throw new Unprocessable("the userName is another user's", { reason: 'NAME_TAKEN', field: 'userName' })
  })
  for (const each of accessChanged) accessChanges.userChanged(each)
  return row
}

async function addPerson(
  ctx: Context,
  tx: WriteTx,
  provider: Provider,
  provisioner: Provisioner,
  person: Person,
): Promise<Written> {
  const { email } = person
  await requireDomain(tx, provider, email)
  const holder = await findHolder(ctx, tx, provider, email)
  if (!holder) {
    const role = rightsOf(provider.params, {}).role ?? LEAST_ROLE
    const status = person.active === false ? 'archived' : 'queued'
    const fields = { ...namesOf(person), email }
    const user = await insertUser(ctx, tx, { path: provider.path, ...fields, role, status, provider: SCIM })
    await keep(ctx, tx, provider, user, person)
    if (status === 'archived') await noteRemoval(ctx, tx, provider, user)
    else await forgetRemoval(tx, provider, email)
    return { action: 'createUser', user, row: await readPersonRow(ctx, tx, provisioner, user.id), accessChanged: [] }
  }
  if (holder.is_kept || holder.role === 'bot' || !isReached(provider, holder)) throw emailTaken()
  const user = await tx.em.findOne(User, { id: holder.id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!user || user.role === 'owner' || user.role === 'bot') throw emailTaken()
  // In the lock: another request may have been first, or a sign-in.
  if ((await findHolder(ctx, tx, provider, email))?.is_open) throw new Unprocessable(OPEN_TO_ANOTHER, EMAIL_TAKEN)
  await keep(ctx, tx, provider, user, person)
  const ended = await apply(ctx, tx, provider, user, { ...person, active: person.active ?? true }, [])
  const row = await readPersonRow(ctx, tx, provisioner, user.id)
  return { action: 'updateUser', user, row, accessChanged: [user.id, ...(ended ?? [])] }
}

async function changePerson(
  ctx: Context,
  tx: WriteTx,
  provider: Provider,
  provisioner: Provisioner,
  { user, row, person, named }: { user: User; row: PersonRow } & PersonChange,
): Promise<Written> {
  const wasArchived = user.status === 'archived'
  const owned = ownedBy(person, named, row.owned)
  const isRenamed = NAMING.some((key) => person[key] !== row[key])
  const isOwnedAnew = new Set(owned).symmetricDifference(new Set(row.owned)).size > 0
  if (isRenamed || isOwnedAnew) await rename(tx, user, person, owned)
  const ended = await apply(ctx, tx, provider, user, person, owned, isRenamed)
  if (!ended) return { action: null, user, row, accessChanged: [] }
  // Whoever comes back has left all channels.
  if (wasArchived && user.status !== 'archived' && (await tx.query(DUE, [user.id])).length > 0)
    addRightsJob(tx, provider.id)
  const changed = await readPersonRow(ctx, tx, provisioner, user.id)
  return { action: 'updateUser', user, row: changed, accessChanged: [user.id, ...ended] }
}

/**
 * Gives a locked user the columns and the status of a person. @param owned the properties that the provider sets, or has set before
 * @returns guests whose sign-ins ended; null if nothing changed
 */
async function apply(
  ctx: Context,
  tx: WriteTx,
  provider: Provider,
  user: User,
  person: Person,
  owned: readonly string[],
  isRenamed = false,
): Promise<string[] | null> {
  const patch: Partial<Record<KeptName | 'email', string | null>> = {}
  for (const key of KEPT_NAMES) {
    const value = person[key]
    if (value !== user[key] && (value !== null || owned.includes(key))) patch[key] = value
  }
  if (person.email !== user.email) {
    // By an email a password is reset: an owner's is nobody's to change but the owner's.
    if (user.role === 'owner') throw new Forbidden('an owner changes the email itself', { reason: 'OWNER_REQUIRED' })
    await requireDomain(tx, provider, person.email)
    patch.email = person.email
  }
  const isArchived = user.status === 'archived'
  const isMoved = person.active !== null && person.active === isArchived
  // Whoever was archived before is the provider's to remove all the same.
  if (isArchived && person.active === false) await noteRemoval(ctx, tx, provider, person)
  if (Object.keys(patch).length === 0 && !isMoved && !isRenamed) return null
  tx.em.assign(user, readUserInput(patch as object))
  markChanged(user, ctx.now())
  let guests: string[] = []
  if (isMoved && isArchived) {
    guests = await changeStatus(tx, user, 'active')
    await forgetRemoval(tx, provider, user.email)
  } else if (isMoved) {
    guests = await archive(ctx, tx, provider, user)
  }
  await tx.em.flush()
  tx.emit(organizationStream(user.organizationId), 'user.updated', eventOf(user))
  return guests
}

async function archive(ctx: Context, tx: WriteTx, provider: Provider, user: User): Promise<string[]> {
  if (user.role === 'owner') await requireOtherOwner(tx, user)
  const guests = await changeStatus(tx, user, 'archived')
  await noteRemoval(ctx, tx, provider, user)
  return guests
}

async function lockPerson(
  ctx: Context,
  tx: WriteTx,
  provisioner: Provisioner,
  id: string,
  ifVersion: number | null,
): Promise<{ user: User; row: PersonRow }> {
  const found = isId(id) ? await tx.em.findOne(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE }) : null
  const row = await readPersonRow(ctx, tx, provisioner, id)
  requireVersion('User', found!, ifVersion)
  return { user: found!, row }
}

interface Holder {
  id: string
  org1: string
  org2: string | null
  org3: string | null
  role: string
  /** True if the provider itself keeps the user, or another one provisions it now. */
  is_kept: boolean
  /** True if an identity of another provider opens the account, of which nobody has proven that it is the user's. */
  is_open: boolean
}

const OPEN_TO_ANOTHER =
  'the email belongs to an account which another provider opens to somebody whose email nobody has proven: unlink that identity first'
const EMAIL_TAKEN = { reason: 'EMAIL_TAKEN', field: 'emails.value' } as const

async function findHolder(ctx: Context, tx: WriteTx, { id, params }: Provider, email: string): Promise<Holder | null> {
  const [found] = await tx.query<Holder>(
    `select u.id, u.org1, u.org2, u.org3, u.role, s.user_id is not null and s.deleted_at is null
         and (s.service_id = $3 or ${isProvisionedSql('$4')}) as is_kept,
       exists (select from user_identity i where i.user_id = u.id and i.issuer <> $2 and not i.is_proven) as is_open
     from app_user u left join scim_user s on s.user_id = u.id where lower(u.email) = lower($1)`,
    [email, params.issuer, id, ctx.now()],
  )
  return found ?? null
}

/**
 * Notes that the provider keeps the user, whom another one may have kept that provisions no more: the groups of that one have the user no
 * longer. @throws Unprocessable if one keeps it already
 */
async function keep(ctx: Context, tx: WriteTx, { id }: Provider, user: User, person: Person): Promise<void> {
  const kept = await tx.query<{ is_due: boolean }>(
    `insert into scim_user as s (user_id, service_id, user_name, external_id, owned, phone_type) values ($1, $2, $3, $4, $5, $6)
     on conflict (user_id) do update set service_id = excluded.service_id, user_name = excluded.user_name,
       external_id = excluded.external_id, owned = excluded.owned, phone_type = excluded.phone_type, deleted_at = null,
       rights_due = case when s.deleted_at is not null then s.rights_due end
     where s.deleted_at is not null or s.service_id <> excluded.service_id and not (${isProvisionedSql('$7')})
     returning rights_due is not null as is_due`,
    [
      user.id,
      id,
      person.userName,
      person.externalId,
      ownedBy(person, namedBy(person), []),
      person.phoneType,
      ctx.now(),
    ],
  )
  if (kept.length === 0) throw emailTaken()
  // What another provider's groups gave goes by this one's job.
  if (kept[0]!.is_due) addRightsJob(tx, id)
  await tx.query(
    `delete from scim_member m using scim_group g where g.id = m.group_id and m.user_id = $1 and g.service_id <> $2`,
    [user.id, id],
  )
}

/** Values of a person that are kept beside the user's own columns. */
const NAMING = ['userName', 'externalId', 'phoneType'] as const

async function rename(
  tx: WriteTx,
  { id }: User,
  { userName, externalId, phoneType }: Person,
  owned: string[],
): Promise<void> {
  await tx.query(
    'update scim_user set user_name = $2, external_id = $3, owned = $4, phone_type = $5 where user_id = $1',
    [id, userName, externalId, owned, phoneType],
  )
}

function ownedBy({ isEmailNamed }: Person, named: readonly KeptName[], before: readonly string[]): string[] {
  const owned = new Set(['email', 'status', ...before, ...named])
  if (isEmailNamed) owned.add(EMAILS)
  else owned.delete(EMAILS)
  return [...owned]
}

function namesOf(person: Person): Pick<Person, KeptName> {
  const { displayName, givenName, familyName, additionalName, phone } = person
  return { displayName, givenName, familyName, additionalName, phone }
}

/** Role and channels are due to whom a group gives them. */
const DUE = `
update scim_user s set rights_due = gen_random_uuid()
where user_id = $1 and exists (select from scim_member m where m.user_id = s.user_id) returning 1`

async function noteRemoval(
  ctx: Context,
  tx: WriteTx,
  { id, path: [center] }: Provider,
  { email }: Pick<User, 'email'>,
): Promise<void> {
  await tx.query(
    `insert into scim_removed (service_id, org1, email_hash, removed_at) values ($1, $2, ${removedNameSql('$3')}, $4)
     on conflict do nothing`,
    [id, center, email, ctx.now()],
  )
}

async function forgetRemoval(tx: WriteTx, { path: [center] }: Provider, email: string): Promise<void> {
  await tx.query(`delete from scim_removed where org1 = $1 and email_hash = ${removedNameSql('$2')}`, [center, email])
}

/** @throws BadUserInput for an email of another domain than those that the provider speaks for */
async function requireDomain(tx: WriteTx, provider: Provider, email: string): Promise<void> {
  if (isOfDomains(provider, email) && (await isVerifiedFor(tx, provider, email))) return
  const why = `the domain of ${email} is none of the provider's, or is not verified here`
  throw scimError('invalidValue', 'emails.value', why)
}

/** Requires another owner: of two who are removed at once one stays. @throws Unprocessable for the last owner of an organization */
async function requireOtherOwner(tx: WriteTx, { id, organizationId: organization }: User): Promise<void> {
  await lockToCount(tx, organization)
  const others = await tx.em.count(User, {
    organizationId: organization,
    role: 'owner',
    status: 'active',
    id: { $ne: id },
  })
  if (others > 0) return
  throw new Unprocessable(`user ${id} is the last owner of organization ${organization}`, { reason: 'LAST_OWNER' })
}

function emailTaken(): Unprocessable {
  return new Unprocessable('the email belongs to another user', EMAIL_TAKEN)
}
