import { KeptRunsDocument, type KeptRunsQuery } from '../../../generated/data-kept.js'
import { AdminRetentionDocument, type AdminRetentionQuery } from '../../../generated/retention.js'
import { dayTime } from '../../../shared/i18n/format.js'
import { useStore } from '../../store/console-store.js'
import { Table } from '../section.js'
import type { Organizations } from '../use-organizations.js'
import { usePages } from '../use-pages.js'
import { useQuery } from '../use-query.js'
import { words } from './words.js'

type Policy = AdminRetentionQuery['retentionPolicies']['edges'][number]['node']
type Run = KeptRunsQuery['retentionRuns']['nodes'][number]

const DAY_MS = 86_400_000

/** Lists what is kept, where and how long: by the terms in effect, and what the installation keeps besides. */
export function DataKept({ organizations }: { organizations: Organizations }) {
  const policies = usePages(AdminRetentionDocument, ({ retentionPolicies }) => retentionPolicies, 'retentionPolicy')
  const runs = useQuery(KeptRunsDocument, {}, 'retentionRun')
  const own = words.kept
  if (!policies.data) return null
  const lastRuns = runs.data?.retentionRuns.nodes ?? []
  const of = (subject: Policy['subject']): Policy[] =>
    policies.rows.filter((policy) => policy.subject === subject && policy.endsAt === null)
  return (
    <Table label={own.title} action={null} heads={[own.what, own.where, own.howLong, own.next, own.last]}>
      {(['CONVERSATIONS', 'CONTACTS', 'ATTACHMENTS'] as const).flatMap((subject) => {
        const terms = of(subject)
        if (terms.length === 0) return [<Row key={subject} of={own.subjects[subject]} howLong={own.untilErased} />]
        return terms.map((policy) => (
          <Row
            key={policy.id}
            of={own.subjects[subject]}
            howLong={words.retention.days(policy.days)}
            organization={organizations.options.length > 1 ? organizations.nameOf(policy.organizationId) : ''}
            policy={policy}
            run={lastRuns.find(({ policyId }) => policyId === policy.id)}
          />
        ))
      })}
      {own.others.map(([what, where, howLong]) => (
        <Row key={what} of={[what, where]} howLong={howLong} />
      ))}
    </Table>
  )
}

interface RowProps {
  of: readonly [what: string, where: string]
  howLong: string
  organization?: string
  policy?: Policy
  run?: Run | undefined
}

function Row({ of: [what, where], howLong, organization = '', policy, run }: RowProps) {
  const now = useStore().now.value
  const own = words.kept
  return (
    <tr>
      <th scope="row">{what}</th>
      <td>{where}</td>
      <td>
        {howLong}
        {organization && (
          <p class="mute t2">
            <bdi>{organization}</bdi>
          </p>
        )}
      </td>
      <td>{policy ? nextOf(policy, run, now) : '–'}</td>
      <td>
        {run ? (
          <>
            <time dateTime={run.createdAt}>{dayTime(run.createdAt, now)}</time>
            <p class="mute t2">{own.counts(run)}</p>
          </>
        ) : policy ? (
          own.never
        ) : (
          '–'
        )}
      </td>
    </tr>
  )
}

/** A run begins a day after the one before; the first when the policy takes effect. */
function nextOf({ startsAt }: Policy, run: Run | undefined, now: number): string {
  if (run?.status === 'RUNNING') return words.retention.states.RUNNING
  const next = Math.max(Date.parse(startsAt), run ? Date.parse(run.createdAt) + DAY_MS : 0)
  return dayTime(Math.max(next, now), now)
}
