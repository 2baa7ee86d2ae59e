import type { Sql } from '../../platform/db/sql.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { hurryJob } from '../../platform/jobs/hurry-job.js'
import { defineJob } from '../../platform/jobs/job-type.js'
import { storableText } from '../../platform/json.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

/** Reasons for which a service does not work, by what has to be done about them. */
export type CheckCode = 'token' | 'refused' | 'settings' | 'unreachable'

export const CheckCodeEnum = graphqlEnum(
  'ServiceCheckCode',
  'Reasons for which a service does not work, by what helps.',
  {
    TOKEN: ['token', 'The provider refuses its token or password.'],
    REFUSED: ['refused', 'The provider refuses what it is asked.'],
    SETTINGS: ['settings', 'The settings do not fit.'],
    UNREACHABLE: ['unreachable', 'The provider is not reached, or has a fault.'],
  },
)

export const FIXES: Readonly<Record<CheckCode, string>> = {
  token: 'Make a new token or password at the provider, and save it with the service.',
  refused: 'Compare the settings with those at the provider, and whether it restricts the account.',
  settings: 'Complete or correct the settings of the service, and save it.',
  unreachable:
    'Look whether the provider has a fault, and whether this server reaches it. It is tried again by itself.',
}

/** Checks that fail one after the other before somebody is told. */
export const TOLD_AFTER = 3

/** Checks a service every some minutes. */
export const SERVICE_CHECK = defineJob<{ service: string }>('service.check', { service: 'string' })

/** After a write, the provider has time to know of it too. */
const FIRST_CHECK_MS = 60_000

const keyOf = (service: string): string => `check:${service}`

/** One share for all, since there is a job of each service at any time: messages look at every share for their turns. */
export const checkJob = (service: string, runAt: Date) =>
  SERVICE_CHECK.create({ service }, { key: keyOf(service), share: SERVICE_CHECK.kind, runAt })

/** Begins with checks anew: what was found before is of other settings. */
export async function beginChecks(tx: WriteTx, service: string, now: Date): Promise<void> {
  await tx.query('delete from service_check where service_id = $1', [service])
  const runAt = new Date(now.getTime() + FIRST_CHECK_MS)
  // One that runs adds the next itself.
  if (!(await hurryJob(tx, keyOf(service), runAt))) tx.addJob(checkJob(service, runAt))
}

/** Most names that are kept of one service. */
const UNNAMED_MAX = 50
const NAME_CHARS_MAX = 100

/** Counts events of a provider that have no use here, by the provider's names of them: a statement a name, however many came. */
export async function noteUnnamed(sql: Sql, service: string, names: readonly string[], now: Date): Promise<void> {
  const short = names.map((name) => storableText(name, NAME_CHARS_MAX))
  const counts = [...Map.groupBy(short, (name) => name)].slice(0, UNNAMED_MAX)
  for (const [name, { length }] of counts) await sql.query(UNNAMED, [service, name, now, length], 'note-unnamed')
}

const UNNAMED = `
insert into service_unnamed as u (service_id, name, count, last_at)
select $1, $2, $4::int, $3 where exists (select from service_unnamed where service_id = $1 and name = $2)
  or (select count(*) from service_unnamed where service_id = $1) < ${UNNAMED_MAX}
on conflict (service_id, name) do update set count = u.count + $4::int, last_at = $3`
