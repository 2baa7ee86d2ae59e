import { useState } from 'preact/hooks'
import {
  AdminMailboxesDocument,
  AdminMailboxEntriesDocument,
  ReadMailboxEntryDocument,
  type AdminMailboxEntriesQuery,
  type AdminMailboxEntriesQueryVariables,
  type AdminMailboxesQuery,
} from '../../generated/admin.js'
import { formatLocale, shortTime } from '../../shared/i18n/format.js'
import { Icon } from '../../shared/ui/icon.js'
import { useAllPages } from '../lists/use-all-pages.js'
import { route, threadPath } from '../route.js'
import { useStore } from '../store/console-store.js'
import { Empty, More, Section, Table } from './section.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

type Mailbox = AdminMailboxesQuery['services']['edges'][number]['node']
type Health = NonNullable<Mailbox['mailbox']>
type Entry = AdminMailboxEntriesQuery['mailboxEntries']['edges'][number]['node']
type State = NonNullable<AdminMailboxEntriesQueryVariables['state']>

const figure = (count: number): string => count.toLocaleString(formatLocale())

/** Shows of each mailbox whether it is read, and what became of each mail: all are stored, named, or to be read. */
export function Mailboxes() {
  const answer = usePages(AdminMailboxesDocument, ({ services }) => services, null)
  // `/console/admin/mailboxes/ID`: one of them.
  const [, chosen = ''] = route.value.page === 'admin' ? route.value.rest.split('/') : []
  const shown = answer.rows.filter(({ id }) => chosen === '' || id === chosen)
  const own = words.mailboxes
  return (
    <Section title={words.sections.mailboxes} lead={own.help} answer={answer}>
      {answer.data && shown.length === 0 && (
        <Empty icon="mail" says={own.none}>
          <a class="btn" href="/console/admin/services">
            {words.webhooks.toServices}
          </a>
        </Empty>
      )}
      {chosen !== '' && (
        <div class="line">
          <a class="btn small" href="/console/admin/mailboxes">
            <Icon name="x" size="s" />
            {own.all}
          </a>
        </div>
      )}
      {shown.map((mailbox) => (
        <MailboxLedger key={mailbox.id} mailbox={mailbox} refresh={answer.refresh} />
      ))}
      <More more={answer.more} />
    </Section>
  )
}

function MailboxLedger({ mailbox, refresh }: { mailbox: Mailbox; refresh(): void }) {
  const store = useStore()
  const own = words.mailboxes
  const [state, setState] = useState<State | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const entries = useAllPages(
    AdminMailboxEntriesDocument,
    { service: mailbox.id, state },
    ({ mailboxEntries }) => mailboxEntries,
  )
  const health = mailbox.mailbox
  const name = mailbox.name ?? String(mailbox.params.address ?? words.services.kinds[mailbox.type])
  const problem = fault ?? entries.error?.message ?? health?.failure ?? mailbox.problem
  const readAgain = (id: string): void => {
    setFault(null)
    store.request(ReadMailboxEntryDocument, { id }).then(
      () => {
        entries.refresh()
        refresh()
      },
      (error: Error) => setFault(error.message),
    )
  }
  return (
    <section class="stack" aria-label={name}>
      <div class="line">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <span class={mailbox.status === 'ACTIVE' ? 'tag good' : 'tag warn'}>
          {words.services.statuses[mailbox.status]}
        </span>
        {health && health.listed > 0 && (
          <label class="field push">
            <span>{own.state}</span>
            <select
              class="in"
              value={state ?? ''}
              onChange={(event) => setState((event.currentTarget.value || null) as State | null)}
            >
              <option value="">{own.every}</option>
              {health.counts.map(({ state: each, count }) => (
                <option key={each} value={each}>
                  {own.states[each]} ({figure(count)})
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {problem && (
        <p class="band warn" role={fault ? 'alert' : undefined}>
          <Icon name="alert" />
          <bdi lang="en">{problem}</bdi>
        </p>
      )}
      {health ? <HealthLine health={health} /> : <p class="mid">{own.notRead}</p>}
      {entries.rows?.length === 0 && <p class="mid">{own.empty}</p>}
      {entries.rows && entries.rows.length > 0 && (
        <Table label={`${own.mails}: ${name}`} heads={[own.mail, own.state, own.when, '']}>
          {entries.rows.map((entry) => (
            <Line key={entry.id} entry={entry} readAgain={readAgain} />
          ))}
        </Table>
      )}
      <More more={entries.more} />
    </section>
  )
}

/** Says that nothing is lost: what the server lists is stored, or it has a name, or its turn comes. */
function HealthLine({ health }: { health: Health }) {
  const store = useStore()
  const own = words.mailboxes
  const { auditedAt, counts, listed, named, pending, readAt, stored } = health
  const at = (time: string): string => shortTime(time, store.now.value)
  const others = counts.filter(({ state }) => state !== 'STORED' && state !== 'LISTED')
  return (
    <div class="stack tight" role="group" aria-label={own.health}>
      <p>
        <b>{own.sum(figure(listed), figure(stored), figure(named))}</b>
        {pending > 0 && <> {own.pending(figure(pending))}</>}
      </p>
      {others.length > 0 && (
        <p class="mid">{others.map(({ state, count }) => `${figure(count)} ${own.states[state]}`).join(' · ')}</p>
      )}
      <p class="mute t2">
        {[readAt && own.readAt(at(readAt)), auditedAt && own.auditedAt(at(auditedAt))].filter(Boolean).join(' · ')}
      </p>
    </div>
  )
}

function Line({ entry, readAgain }: { entry: Entry; readAgain(id: string): void }) {
  const store = useStore()
  const own = words.mailboxes
  const { conversationId, folder, id, isReadable, listedAt, reason, state, subject, uid } = entry
  const title = subject ?? own.number(uid)
  return (
    <tr>
      <th scope="row">
        {conversationId ? (
          <a href={threadPath(conversationId)}>
            <bdi>{title}</bdi>
          </a>
        ) : (
          <span class="mute">{title}</span>
        )}
        <p class="mute t2">
          <bdi>{subject === null ? folder : `${folder} · ${own.number(uid)}`}</bdi>
        </p>
      </th>
      <td>
        <span class={state === 'UNREADABLE' || state === 'GONE' ? 'bad' : state === 'STORED' ? 'good' : undefined}>
          {own.states[state]}
        </span>
        {reason && (
          <p class="mute t2" lang="en">
            {reason}
          </p>
        )}
      </td>
      <td>
        <time dateTime={listedAt} title={new Date(listedAt).toLocaleString(formatLocale())}>
          {shortTime(listedAt, store.now.value)}
        </time>
      </td>
      <td class="num">
        {isReadable && (
          <button class="btn ghost small" aria-label={`${own.again}: ${title}`} onClick={() => readAgain(id)}>
            {own.again}
          </button>
        )}
      </td>
    </tr>
  )
}
