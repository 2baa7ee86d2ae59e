import type { Logger } from 'pino'
import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import type { Context } from '../../platform/context.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact } from '../../platform/events/transact.js'
import { CHAIN_START } from '../../platform/audit/entry-hash.js'
import { addJobs, type Job } from '../../platform/jobs/job.js'
import { defineJob } from '../../platform/jobs/job-type.js'
import type { SealedHead } from './audit-chain.js'
import type { SealKey } from './seal-key.js'

declare module '../../platform/events/event.js' {
  interface EventTypes {
    /** The chain's end was signed: a copy that is kept elsewhere shows whether it is cut or written anew later. */
    'audit.sealed': { id: string; organization: string; number: number; hash: string; seal: string }
  }
}

/** Signs the end of a contact center's chain. */
export const AUDIT_SEAL = defineJob<{ organization: string }>('audit.seal', { organization: 'string' })

/** Adds a job for each chain that has grown since its last seal. */
export async function addSeals(sql: Sql, clock: Clock): Promise<void> {
  const grown = await sql.query<{ organization: string }>(
    `select c.org1 as organization from audit_chain c
     where c.number > coalesce((select max(s.number) from audit_seal s where s.org1 = c.org1), 0)
       and not exists (select from job j where j.kind = $1 and j.key = $1 || ':' || c.org1)`,
    [AUDIT_SEAL.kind],
  )
  const jobs = grown.map((payload) => AUDIT_SEAL.create(payload, { key: `${AUDIT_SEAL.kind}:${payload.organization}` }))
  await addJobs(sql, jobs, clock)
}

/**
 * Stores the seal, and hands it out: as the webhook event `audit.sealed`, and to the log of the server. Copies that are kept elsewhere
 * are what counts.
 */
export async function sealChain(
  ctx: Context,
  { transact, key, log }: { transact: Transact; key: SealKey; log: Pick<Logger, 'info'> },
  { payload: { organization } }: Job<{ organization: string }>,
): Promise<void> {
  const sealed = await transact(ctx, async (tx) => {
    const [head] = await tx.query<{ number: number; hash: string }>(
      'select number, hash from audit_chain where org1 = $1 for update',
      [organization],
    )
    const [last] = await tx.query<{ number: number; hash: string }>(
      'select number, hash from audit_seal where org1 = $1 order by number desc limit 1',
      [organization],
    )
    // The job was done by a runner whose lease was lost.
    if (!head || head.number <= (last?.number ?? 0)) return null
    const { number, hash } = head
    const at = ctx.now()
    const sealedHead: SealedHead = {
      org: organization,
      number,
      hash,
      previous: last?.hash ?? CHAIN_START,
      at: at.toISOString(),
    }
    const seal = await key.sign(sealedHead)
    await tx.query('insert into audit_seal (org1, number, at, hash, seal) values ($1, $2, $3, $4, $5)', [
      organization,
      number,
      at,
      hash,
      seal,
    ])
    const stream = organizationStream(organization)
    tx.emit(stream, 'audit.sealed', { id: organization, organization, number, hash, seal })
    return { organization, number, seal }
  })
  if (sealed) log.info({ audit: sealed }, 'the audit log was sealed')
}
