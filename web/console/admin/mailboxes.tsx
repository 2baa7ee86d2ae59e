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
import { More, Section, Table } from './section.js'
import { figure, MailSum, NoServices, ServiceState } from './service-state.js'
import { nameOf, useServiceKinds } from './service-kinds.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

type Mailbox = AdminMailboxesQuery['services']['edges'][number]['node']
type Health = NonNullable<Mailbox['mailbox']>
type Entry = AdminMailboxEntriesQuery['mailboxEntries']['edges'][number]['node']
type State = NonNullable<AdminMailboxEntriesQueryVariables['state']>

/** Shows of each mailbox whether it is read, and what became of each mail: all are stored, named, or to be read. */
export function Mailboxes() {
  const answer = usePages(AdminMailboxesDocument, ({ services }) => services, null)
  // `/console/admin/mailboxes/ID`: one of them.
  const [, chosen = ''] = route.value.page === 'admin' ? route.value.rest.split('/') : []
  const shown = answer.rows.filter(({ id }) => chosen === '' || id === chosen)
  const own = words.mailboxes
  return (
    <Section title={words.sections.mailboxes} lead={own.help} answer={answer}>
      {answer.data && shown.length === 0 && <NoServices icon="mail" says={own.none} />}
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
  const kinds = useServiceKinds()
  const name = mailbox.name ?? String(mailbox.params.address ?? nameOf(mailbox, kinds))
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
    <ServiceState
      name={name}
      tone={mailbox.status === 'ACTIVE' ? 'tag good' : 'tag warn'}
      state={words.services.statuses[mailbox.status]}
      isAlert={fault !== null}
      problem={problem && <bdi lang="en">{problem}</bdi>}
      aside={
        health &&
        health.listed > 0 && (
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
        )
      }
    >
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
    </ServiceState>
  )
}

/** Shows the sum, its parts, and when they were compared. */
function HealthLine({ health }: { health: Health }) {
  const store = useStore()
  const own = words.mailboxes
  const { auditedAt, counts, readAt } = health
  const at = (time: string): string => shortTime(time, store.now.value)
  const others = counts.filter(({ state }) => state !== 'STORED' && state !== 'LISTED')
  return (
    <div class="stack tight" role="group" aria-label={own.health}>
      <MailSum mails={health} />
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
