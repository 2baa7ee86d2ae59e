import type { Sql } from '../../platform/db/database.js'
import { isOnPath, pathOf } from '../../platform/db/tenancy.js'
import { Forbidden } from '../../platform/errors.js'
import { isProvisionedSql } from '../users/managed-elsewhere.js'
import type { GivenRole } from './provider-params.js'
import { rightsOf } from './given-rights.js'
import { directoryIdsOf, domainOfEmail, type ProviderIdentity } from './provider-identity.js'
import type { Provider } from './providers.js'
import { hasGroupRights, isRemoved } from './provisioning.js'

/** The account that a person of a provider gets. */
export type Account =
  /** The identity is linked. */
  | { is: 'known'; user: string; identity: string }
  /** The user with the proven email. */
  | { is: 'linked'; user: string }
  /** A new one. */
  | { is: 'created'; email: string; role: GivenRole; isProven: boolean }
  | { is: 'refused'; reason: 'LINK_NEEDED' | 'NOT_PROVISIONED'; why: string }

interface Candidate {
  id: string
  org1: string
  org2: string | null
  org3: string | null
  role: string
  status: string
  /** True if the domain of the email is verified by an organization of the user's path. */
  is_domain_verified: boolean
  /** True if the user has an identity of the issuer, or one that nobody proved to be the user's. */
  is_taken: boolean
  /** True if the provider keeps the user here as this very person: by the id that it gives it by SCIM. */
  is_provisioned: boolean
}

type Linked = Omit<Candidate, 'is_domain_verified' | 'is_taken' | 'is_provisioned'> & { identity: string }

const refused = (reason: 'LINK_NEEDED' | 'NOT_PROVISIONED', why: string): Account => ({ is: 'refused', reason, why })

/**
 * Decides whose account it is. An identity that is linked opens that user's. One that comes for the first time gets an existing
 * user only if nobody but the user can have the email: the provider says that it is verified, or has made the user here by SCIM as
 * this very person, speaks for its domain, and the domain is verified here. An owner's account is never given so, nor one that
 * somebody's unproven identity opens.
 */
export async function whoseAccount(
  sql: Pick<Sql, 'query'>,
  provider: Provider,
  identity: ProviderIdentity,
  now: Date,
): Promise<Account> {
  const rights = rightsOf(provider.params, identity.claims)
  // Where sign-ins give the rights; of whom a provider keeps in groups here, these do.
  const isUnmapped = async (user: string): Promise<boolean> =>
    provider.params.syncRoles === true && rights.role === null && !(await hasGroupRights(sql, user, now))
  const known = await findLinked(sql, provider, identity)
  if (known) {
    if (!isReached(provider, known))
      return refused('NOT_PROVISIONED', 'the account is of an organization that has another provider')
    if (known.status === 'archived' || known.role === 'bot')
      return refused('NOT_PROVISIONED', 'the account is archived')
    if (await isUnmapped(known.id)) return refused('NOT_PROVISIONED', 'no row of the role map fits')
    return { is: 'known', user: known.id, identity: known.identity }
  }
  const { email } = identity
  if (email === null) return refused('NOT_PROVISIONED', 'the provider gives no email')
  const user = await findByEmail(sql, provider, { identity, email, now })
  if (user) {
    // Another attempt of the same person may have made or linked it in between.
    if (await findLinked(sql, provider, identity)) return whoseAccount(sql, provider, identity, now)
    if (await isUnmapped(user.id)) return refused('NOT_PROVISIONED', 'no row of the role map fits')
    return ofExisting(provider, identity, user)
  }
  if (!provider.params.createUsers)
    return refused('NOT_PROVISIONED', 'there is no account, and the provider creates none')
  if (rights.role === null) return refused('NOT_PROVISIONED', 'no row of the role map fits')
  if (await isRemoved(sql, provider, email)) return refused('NOT_PROVISIONED', 'the provider has removed the person')
  const isProven = speaksFor(provider, identity) && (await isVerifiedFor(sql, provider, email))
  return { is: 'created', email, role: rights.role, isProven }
}

/** @throws Forbidden */
export function refusalOf({ reason, why }: Extract<Account, { is: 'refused' }>): Forbidden {
  const hint = reason === 'LINK_NEEDED' ? ': sign in as before, and link the provider under Settings, Security' : ''
  return new Forbidden(`${why}${hint}`, { reason })
}

function ofExisting(provider: Provider, identity: ProviderIdentity, user: Candidate): Account {
  // Nothing more is told of whom the provider's organization does not see.
  if (!isReached(provider, user)) return refused('NOT_PROVISIONED', 'the email belongs to an account elsewhere')
  if (user.status === 'archived' || user.role === 'bot')
    return refused('NOT_PROVISIONED', 'the account is archived, or no person’s')
  if (user.role === 'owner') return refused('LINK_NEEDED', 'an owner’s account is linked by its owner')
  // Entra ID says of no email that it is verified; whom it keeps here by an id of its own is that person all the same.
  if (!identity.isEmailVerified && !user.is_provisioned)
    return refused('LINK_NEEDED', 'the provider does not say that the email is verified')
  const domain = domainOfEmail(identity.email!)
  if (!isOfDomains(provider, identity.email!))
    return refused('LINK_NEEDED', `the provider does not speak for ${domain}`)
  if (!user.is_domain_verified) return refused('LINK_NEEDED', `the domain ${domain} is not verified here`)
  if (user.is_taken)
    return refused('LINK_NEEDED', 'the account is linked to another person of the provider, or by an unproven email')
  return { is: 'linked', user: user.id }
}

/** Tells whether the provider says that the email is the person's, and is the one to say it. */
function speaksFor(provider: Provider, { email, isEmailVerified }: ProviderIdentity): boolean {
  return isEmailVerified && email !== null && isOfDomains(provider, email)
}

/** Tells whether the email is of a domain for which the provider speaks. */
export function isOfDomains({ params }: Pick<Provider, 'params'>, email: string): boolean {
  return params.domains?.includes(domainOfEmail(email)) === true
}

/** Tells whether the domain of the email is verified by the provider's organization, or by one above it. */
export async function isVerifiedFor(sql: Pick<Sql, 'query'>, { path }: Provider, email: string): Promise<boolean> {
  const found = await sql.query(
    'select from domain where name = $1 and verified_at is not null and organization_id = any($2::uuid[])',
    [domainOfEmail(email), path],
  )
  return found.length > 0
}

/** Tells whether the user belongs to the provider's organization, or to one below it. */
export function isReached({ path }: Pick<Provider, 'path'>, user: Pick<Candidate, 'org1' | 'org2' | 'org3'>): boolean {
  return isOnPath(
    { path },
    pathOf(user).filter((each) => each !== undefined),
  )
}

async function findLinked(
  sql: Pick<Sql, 'query'>,
  { path: [center] }: Provider,
  { issuer, subject }: ProviderIdentity,
): Promise<Linked | null> {
  const [found] = await sql.query<Linked>(
    `select u.id, u.org1, u.org2, u.org3, u.role, u.status, i.id as identity
     from user_identity i join app_user u on u.id = i.user_id where i.org1 = $1 and i.issuer = $2 and i.subject = $3`,
    [center, issuer, subject],
    'user-of-identity',
  )
  return found ?? null
}

async function findByEmail(
  sql: Pick<Sql, 'query'>,
  { id: service }: Provider,
  { identity, email, now }: { identity: ProviderIdentity; email: string; now: Date },
): Promise<Candidate | null> {
  const [found] = await sql.query<Candidate>(
    `select u.id, u.org1, u.org2, u.org3, u.role, u.status,
       exists (select from domain d where d.name = $3 and d.verified_at is not null
         and d.organization_id in (u.org1, u.org2, u.org3)) as is_domain_verified,
       exists (select from user_identity i where i.user_id = u.id and (i.issuer = $2 or not i.is_proven)) as is_taken,
       exists (select from scim_user s where s.user_id = u.id and s.service_id = $4 and ${isProvisionedSql('$6')}
         and s.external_id = any($5::text[])) as is_provisioned
     from app_user u where lower(u.email) = lower($1)`,
    [email, identity.issuer, domainOfEmail(email), service, directoryIdsOf(identity), now],
    'user-of-provider-email',
  )
  return found ?? null
}
