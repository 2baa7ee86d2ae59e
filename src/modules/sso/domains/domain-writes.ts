import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Context } from '../../../platform/context.js'
import { Unavailable, Unprocessable } from '../../../platform/errors.js'
import { TENANT } from '../../../platform/db/tenancy.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../../platform/events/event.js'
import type { Transact, WriteTx } from '../../../platform/events/transact.js'
import { isUniqueViolation } from '../../../platform/limits/idempotency.js'
import { spend } from '../../../platform/limits/shared-limiter.js'
import { fetchRecord } from '../../../platform/lists/fetch-record.js'
import { markChanged } from '../../../platform/lists/record-version.js'
import type { DnsTexts } from '../../../platform/outbound/dns-texts.js'
import { checkNumber, insertOwned, owningPath } from '../../organizations/owned-record.js'
import { parseDomain } from '../provider-params.js'
import type { DomainProof } from './domain-proof.js'
import { Domain, statusOf, type AddDomainInput } from './domain.js'

export interface DomainDependencies {
  transact: Transact
  proof: DomainProof
  dns: Pick<DnsTexts, 'at'>
  /** Counts the looks at DNS of a contact center. */
  looks: RateLimiterAbstract
}

const DOMAINS_PER_ORGANIZATION_MAX = 100
export const LOOKS_PER_HOUR = 120

/**
 * Adds a domain, which counts once it is verified.
 * @throws BadUserInput; NotFound naming `organization`; Unprocessable for one that the organization has, or that another one owns
 */
export function addDomain(ctx: Context, { transact }: DomainDependencies, input: AddDomainInput): Promise<Domain> {
  const name = parseDomain(input.name, 'name')
  return withOwner(name, () =>
    transact(ctx, async (tx) => {
      const path = await owningPath(ctx, tx, input.organization)
      await checkNumber(tx, Domain, { organization: path.at(-1)!, max: DOMAINS_PER_ORGANIZATION_MAX, noun: 'domains' })
      const isOfAnother = { name, verifiedAt: { $ne: null }, organizationId: { $ne: path.at(-1)! } }
      if ((await tx.em.count(Domain, isOfAnother, { filters: { [TENANT]: false } })) > 0) throw domainTaken(name)
      const domain = await insertOwned(ctx, tx, Domain, {
        path,
        name,
        verifiedAt: null,
        checkedAt: null,
        missingSince: null,
      })
      emitDomain(tx, domain, 'created')
      return domain
    }),
  )
}

/**
 * Looks at the domain's DNS now. @throws NotFound; Unprocessable naming the record that is missing, or for a domain that another
 * organization owns; Unavailable when nobody answers; RateLimited
 */
export async function verifyDomain(
  ctx: Context,
  { transact, proof, dns, looks }: DomainDependencies,
  id: string,
): Promise<Domain> {
  const { name, organizationId, org1 } = await fetchRecord(ctx, Domain, id)
  await spend(looks, org1, 1, `more than ${LOOKS_PER_HOUR} looks at DNS an hour`)
  const record = proof.recordOf({ name, organizationId })
  const texts = await dns.at(record.name)
  if (texts === null) throw new Unavailable(`no name server answers for ${record.name}`)
  if (!texts.includes(record.value)) {
    throw new Unprocessable(`${record.name} has no TXT record ${record.value}`, {
      reason: 'DOMAIN_UNPROVEN',
      field: 'id',
      name: record.name,
      value: record.value,
    })
  }
  return withOwner(name, () =>
    transact(ctx, async (tx) => {
      const domain = await fetchRecord(ctx, Domain, id, { em: tx.em, lock: true })
      Object.assign(domain, { verifiedAt: domain.verifiedAt ?? ctx.now(), checkedAt: ctx.now(), missingSince: null })
      markChanged(domain, ctx.now())
      await tx.em.flush()
      emitDomain(tx, domain, 'updated')
      return domain
    }),
  )
}

/** Removes a domain: emails of it prove no accounts any more, and are not led to a provider. @throws NotFound */
export function removeDomain(
  ctx: Context,
  { transact }: Pick<DomainDependencies, 'transact'>,
  id: string,
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const domain = await fetchRecord(ctx, Domain, id, { em: tx.em, lock: true })
    emitDomain(tx, domain, 'deleted')
    tx.em.remove(domain)
    return true
  })
}

async function withOwner<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error, 'domain_verified')) throw domainTaken(name)
    if (!isUniqueViolation(error, 'domain_of_organization')) throw error
    throw new Unprocessable(`the organization has the domain ${name} already`, { reason: 'NAME_TAKEN', field: 'name' })
  }
}

function domainTaken(name: string): Unprocessable {
  return new Unprocessable(`the domain ${name} is another organization's`, { reason: 'DOMAIN_TAKEN', field: 'name' })
}

type DomainData = { name: string; status: string }

declare module '../../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'domain', DomainData> {}
}

export function emitDomain(tx: Pick<WriteTx, 'emit'>, domain: Domain, what: RecordChange): void {
  const { id, organizationId, name } = domain
  tx.emit(organizationStream(organizationId), `domain.${what}`, {
    id,
    organization: organizationId,
    name,
    status: statusOf(domain),
  })
}
