import { useState } from 'preact/hooks'
import {
  AdminAuditDocument,
  VerifyAuditDocument,
  type AdminAuditQuery,
  type AdminAuditQueryVariables,
} from '../../generated/admin.js'
import { shortTime } from '../../shared/i18n/format.js'
import { Icon } from '../../shared/ui/icon.js'
import { route } from '../route.js'
import { useAllPages } from '../lists/use-all-pages.js'
import { useStore } from '../store/console-store.js'
import { beginningOf, DayField } from './days.js'
import { More, Section, Table } from './section.js'
import { words } from './words.js'

type Entry = AdminAuditQuery['auditEntries']['edges'][number]['node']

interface Change {
  record: string
  change: string
  values?: Record<string, { from: unknown; to: unknown }>
}

interface Details {
  changes?: Change[]
  network?: string
  userAgent?: string
}

/** Shows what administrators did, with the old and the new values, and whether the log is whole. */
export function Audit() {
  const store = useStore()
  const own = words.audit
  // `/console/admin/audit/ID`: the history of one record.
  const [, record = ''] = route.value.page === 'admin' ? route.value.rest.split('/') : []
  const [what, setWhat] = useState('')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [actor, setActor] = useState<string | null>(null)
  const filter: AdminAuditQueryVariables['filter'] = {
    ...(what.trim() && { action: { contains: what.trim() } }),
    ...(actor && { actor: { eq: actor } }),
    ...(record && { object: { eq: record } }),
    ...((from || to) && {
      at: { ...(from && { gte: beginningOf(from) }), ...(to && { lt: beginningOf(to, 1) }) },
    }),
  }
  const { rows, more, error, refresh } = useAllPages(AdminAuditDocument, { filter }, ({ auditEntries }) => auditEntries)
  const isPart = record !== '' || actor !== null
  return (
    <Section title={words.sections.audit} lead={own.lead} answer={{ data: rows, of: null, error, refresh }}>
      {store.organization.me.value?.organization?.level === 1 && <Verification />}
      <form class="line" onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span>{own.what}</span>
          <input class="in" type="search" value={what} onInput={(event) => setWhat(event.currentTarget.value)} />
        </label>
        <DayField label={own.from} value={from} set={setFrom} />
        <DayField label={own.to} value={to} set={setTo} />
        {isPart && (
          <a class="btn small" href="/console/admin/audit" onClick={() => setActor(null)}>
            <Icon name="x" size="s" />
            {own.all}
          </a>
        )}
      </form>
      {rows?.length === 0 && <p class="mid">{own.none}</p>}
      {rows && rows.length > 0 && (
        <Table label={words.sections.audit} heads={[own.what, own.who, own.record, own.when]}>
          {rows.map((entry) => (
            <tr key={entry.id}>
              <th scope="row">
                <What entry={entry} />
              </th>
              <td>
                <Who actor={entry.actor} choose={setActor} />
              </td>
              <td>
                {entry.object && (
                  <a class="mono" href={`/console/admin/audit/${encodeURIComponent(entry.object.id)}`}>
                    {entry.object.type}
                  </a>
                )}
              </td>
              <td>
                <time dateTime={entry.at} title={new Date(entry.at).toLocaleString()}>
                  {shortTime(entry.at, store.now.value)}
                </time>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <More more={more} />
    </Section>
  )
}

/** Shows the action; opened, what it changed, and from where it was done. */
function What({ entry: { action, details, number } }: { entry: Entry }) {
  const own = words.audit
  const { changes = [], network, userAgent } = (details ?? {}) as Details
  return (
    <details>
      <summary class="mono">{action}</summary>
      <div class="stack">
        {details === null && <p class="mute">{own.expired}</p>}
        {changes.map(({ record, change, values = {} }, index) => (
          <dl key={index} class="t2" aria-label={`${record} ${change}`}>
            {Object.entries(values).map(([name, { from, to }]) => (
              <div key={name} class="line">
                <dt class="mono mute">{name}</dt>
                <dd>
                  <bdi>{own.was(shown(from), shown(to))}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        ))}
        <p class="mute t2">
          {[number && `#${number}`, network && `${own.network} ${network}`, userAgent && `${own.browser} ${userAgent}`]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
    </details>
  )
}

function Who({ actor: { kind, id, user }, choose }: { actor: Entry['actor']; choose(id: string): void }) {
  const own = words.audit
  if (kind !== 'user' || id === null) {
    return <>{kind === 'operator' ? own.operator : kind === 'contact' ? own.contact : own.system}</>
  }
  return (
    <button type="button" class="btn ghost small" onClick={() => choose(id)}>
      <bdi>{user?.displayName ?? own.gone}</bdi>
    </button>
  )
}

/** Verifies the whole chain, part by part, and says what it found. */
function Verification() {
  const store = useStore()
  const own = words.audit
  const [said, say] = useState<{ text: string; isFault: boolean } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const verify = async (): Promise<void> => {
    const faults: number[] = []
    for (let from = 1; ;) {
      say({ text: own.verifying(from), isFault: false })
      const { verifyAudit: part } = await store.request(VerifyAuditDocument, { from })
      faults.push(...part.faults.map(({ number }) => number))
      // The last part is the one that holds nothing after it.
      if (part.to < from || part.to - from + 1 < PART) {
        const isFault = faults.length > 0
        return say({ text: isFault ? own.broken(faults.join(', ')) : own.whole(part.to, part.unsealed), isFault })
      }
      from = part.to + 1
    }
  }
  const run = (): void => {
    if (isBusy) return
    setBusy(true)
    verify()
      .catch((error: Error) => say({ text: error.message, isFault: true }))
      .finally(() => setBusy(false))
  }
  return (
    <div class="line">
      <button type="button" class="btn" aria-disabled={isBusy} onClick={run}>
        <Icon name="check" size="s" />
        {own.verify}
      </button>
      <span role="status" class={said?.isFault ? 'bad' : 'mid'}>
        {said?.text}
      </span>
    </div>
  )
}

/** Entries that the server verifies at once. */
const PART = 10_000

function shown(value: unknown): string {
  return value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value)
}
