import { useState } from 'preact/hooks'
import {
  AdminRetentionDocument,
  AdminRetentionRunsDocument,
  EndRetentionPolicyDocument,
  type AdminRetentionRunsQuery,
} from '../../../generated/retention.js'
import { dayTime } from '../../../shared/i18n/format.js'
import { RequestDialog } from '../../request-dialog.js'
import { useStore } from '../../store/console-store.js'
import { EditLink, More, Table } from '../section.js'
import type { Organizations } from '../use-organizations.js'
import { usePages } from '../use-pages.js'
import { words as admin } from '../words.js'
import { orProposed } from './proposed.js'
import { RetentionDialog, type Policy } from './retention-dialog.js'
import { words } from './words.js'

type Run = AdminRetentionRunsQuery['retentionRuns']['edges'][number]['node']

const TONES = { RUNNING: 'tag warn', DONE: 'tag good', STOPPED: 'tag' } as const
/** Kept records that are named; the interfaces name more. */
const NAMED = 3

/** Terms after which records are erased, and what was erased by them. */
export function Retention({ organizations }: { organizations: Organizations }) {
  const policies = usePages(AdminRetentionDocument, ({ retentionPolicies }) => retentionPolicies, 'retentionPolicy')
  const runs = usePages(AdminRetentionRunsDocument, ({ retentionRuns }) => retentionRuns, 'retentionRun')
  const [edited, edit] = useState<Policy | 'new' | null>(null)
  const [ending, end] = useState<Policy | null>(null)
  const own = words.retention
  const closed = (isDone: boolean): void => {
    edit(null)
    end(null)
    if (!isDone) return
    policies.refresh()
    runs.refresh()
  }
  const button = (
    <button class="btn push" onClick={() => edit('new')}>
      {own.make}
    </button>
  )
  return (
    <>
      <Table label={own.title} action={button} heads={[own.what, own.after, words.state, admin.organization, '']}>
        {policies.rows.map((policy) => (
          <Row
            key={policy.id}
            policy={policy}
            organization={organizations.nameOf(policy.organizationId)}
            edit={() => edit(policy)}
            end={() => end(policy)}
          />
        ))}
      </Table>
      {policies.data && policies.rows.length === 0 && <p class="hint">{own.none}</p>}
      <More more={policies.more} />
      {runs.rows.length > 0 && (
        <Table
          label={own.runs}
          action={null}
          heads={[own.what, own.begun, words.state, own.erased, own.held, own.failed, admin.organization]}
        >
          {runs.rows.map((run) => (
            <RunRow key={run.id} run={run} organization={organizations.nameOf(run.organizationId)} />
          ))}
        </Table>
      )}
      <More more={runs.more} />
      {edited && (
        <RetentionDialog present={edited === 'new' ? null : edited} organizations={organizations} close={closed} />
      )}
      {ending && <EndDialog policy={ending} close={closed} />}
    </>
  )
}

interface RowProps {
  policy: Policy
  organization: string
  edit(): void
  end(): void
}

function Row({ policy: { id, subject, days, startsAt, endsAt }, organization, edit, end }: RowProps) {
  const now = useStore().now.value
  const own = words.retention
  const name = own.subjects[subject]
  return (
    <tr>
      <th scope="row">
        <a href={`/console/admin/audit/${id}`} title={words.history}>
          {name}
        </a>
      </th>
      <td>{own.days(days)}</td>
      <td>
        {endsAt ? (
          <span class="tag">{own.ended}</span>
        ) : Date.parse(startsAt) > now ? (
          <span class="tag warn">{own.begins(dayTime(startsAt, now))}</span>
        ) : (
          <span class="tag good">{own.holds}</span>
        )}
      </td>
      <td>
        <bdi>{organization}</bdi>
      </td>
      <td>
        {!endsAt && (
          <span class="line">
            <EditLink name={name} run={edit} />
            <button class="btn ghost small" aria-label={`${own.end}: ${name}`} onClick={end}>
              {own.end}
            </button>
          </span>
        )}
      </td>
    </tr>
  )
}

function RunRow({ run, organization }: { run: Run; organization: string }) {
  const now = useStore().now.value
  const { subject, days, status, erased, held, failed, kept, createdAt, finishedAt } = run
  const own = words.retention
  return (
    <tr>
      <th scope="row">
        {own.subjects[subject]}, {own.days(days)}
      </th>
      <td>
        <time dateTime={createdAt}>{dayTime(createdAt, now)}</time>
      </td>
      <td>
        <span class={TONES[status]} title={finishedAt ? dayTime(finishedAt, now) : undefined}>
          {own.states[status]}
        </span>
      </td>
      <td>{erased}</td>
      <td>
        {held}
        {kept.slice(0, NAMED).map(({ id, holds }) => (
          <p key={id} class="mute t2">
            <a class="mono" href={`/console/admin/audit/${id}`} title={words.history}>
              {id}
            </a>{' '}
            <bdi>{holds.map(({ name }) => name).join(', ')}</bdi>
          </p>
        ))}
        {held > NAMED && <p class="mute t2">{own.more(held - NAMED)}</p>}
      </td>
      <td>{failed}</td>
      <td>
        <bdi>{organization}</bdi>
      </td>
    </tr>
  )
}

/** Asks for confirmation: what an organization above says holds again then. */
function EndDialog({ policy, close }: { policy: Policy; close(isDone: boolean): void }) {
  const store = useStore()
  const own = words.retention
  return (
    <RequestDialog
      title={own.endTitle}
      label={own.end}
      icon="alert"
      tone="danger"
      submit={() => orProposed(store.request(EndRetentionPolicyDocument, { id: policy.id }))}
      close={close}
    >
      <p>
        <b>
          {own.subjects[policy.subject]}, {own.days(policy.days)}
        </b>
      </p>
      <p>{own.endHelp}</p>
    </RequestDialog>
  )
}
