import { LockMode } from '@mikro-orm/core'
import type { Logger } from 'pino'
import type { Context } from '../../../platform/context.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { Transact } from '../../../platform/events/transact.js'
import { addJobs } from '../../../platform/jobs/job.js'
import { defineJob, type JobKind } from '../../../platform/jobs/job-type.js'
import type { MaintenanceTask } from '../../../platform/maintenance/maintenance.js'
import { markChanged } from '../../../platform/lists/record-version.js'
import type { DnsTexts } from '../../../platform/outbound/dns-texts.js'
import type { DomainProof } from './domain-proof.js'
import { emitDomain } from './domain-writes.js'
import { Domain } from './domain.js'

/** Job: look whether a verified domain is still the organization's. */
export const DOMAIN_CHECK = defineJob<{ domain: string }>('domain.check', { domain: 'string' })

const EVERY = '24 hours'
const GRACE_DAYS = 7
const DAY_MS = 86_400_000
/** In an hour; what is left over comes in the next. */
const CHECKS_MAX = 1_000
/** All of them share the name servers. */
const SHARE = 'dns'

/** Has verified domains looked at whose last look was a day ago. */
export function checkingDomains(clock: Clock): MaintenanceTask {
  return {
    name: 'domains',
    async run(sql, now) {
      const due = await sql.query<{ id: string }>(
        `select id from domain where verified_at is not null
           and (checked_at is null or checked_at <= $1::timestamptz - interval '${EVERY}')
         order by checked_at nulls first limit ${CHECKS_MAX}`,
        [now],
      )
      const jobs = due.map(({ id }) => DOMAIN_CHECK.create({ domain: id }, { key: `domain:${id}`, share: SHARE }))
      await addJobs(sql, jobs, clock)
    },
  }
}

export interface DomainCheckOptions {
  transact: Transact
  systemContext: (requestId: string) => Context
  proof: DomainProof
  dns: Pick<DnsTexts, 'at'>
  log: Pick<Logger, 'warn'>
}

/**
 * Looks at a domain's DNS. One whose record is missing counts as verified for seven days more, and no longer: somebody else may own it by
 * then. While no name server answers, nothing changes.
 */
export function domainCheck({
  transact,
  systemContext,
  proof,
  dns,
  log,
}: DomainCheckOptions): JobKind<{ domain: string }> {
  return {
    isOutbound: true,
    attemptsMax: 5,
    async handler({ payload: { domain: id } }) {
      const ctx = systemContext('domain-check')
      const named = await ctx.em.findOne(Domain, { id })
      if (!named?.verifiedAt) return
      const record = proof.recordOf(named)
      const texts = await dns.at(record.name)
      if (texts === null) return
      const isThere = texts.includes(record.value)
      await transact(ctx, async (tx) => {
        const domain = await tx.em.findOne(Domain, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
        if (!domain?.verifiedAt) return
        const wasMissing = domain.missingSince
        domain.checkedAt = ctx.now()
        domain.missingSince = isThere ? null : (wasMissing ?? ctx.now())
        const { missingSince, organizationId, name } = domain
        const isLost = missingSince !== null && ctx.now().getTime() - missingSince.getTime() >= GRACE_DAYS * DAY_MS
        if (isLost) Object.assign(domain, { verifiedAt: null, missingSince: null })
        // Of a look that finds nothing new only the time changes.
        if (!isLost && (wasMissing === null) === (missingSince === null)) return
        markChanged(domain, ctx.now())
        await tx.em.flush()
        emitDomain(tx, domain, 'updated')
        const what = isLost ? 'domainLost' : isThere ? 'domainFound' : 'domainMissing'
        tx.addAudit({ action: what, object: { type: 'domain', id }, organization: organizationId, details: { name } })
        if (!isThere)
          log.warn({ domain: name, organization: organizationId, isLost }, 'the record of a verified domain is missing')
      })
    },
  }
}
