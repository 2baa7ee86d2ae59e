import { useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { duration, shortTime, timeOfDay } from '../../shared/i18n/format.js'
import type { InboxRow, QueueRow } from '../../shared/live/entries.js'
import { Icon } from '../../shared/ui/icon.js'
import { useOffice, type Office } from '../office.js'
import type { ListName } from '../route.js'
import { dueIn } from './due.js'
import { EmptyList } from './empty-list.js'
import { keepOrder, queueRows, readOrder, type QueueOrder } from './queue-rows.js'
import { RowList } from './row-list.js'
import type { RowData } from './row.js'

/** The queue, the agent's own conversations, or the inbox. */
export function ListColumn({ list, selected }: { list: ListName; selected: string | null }) {
  const office = useOffice()
  const words = t()
  const [order, setOrder] = useState<QueueOrder>(readOrder)
  const rows = rowsOf(office, list, order)
  const title = words.nav[list]
  const connection = office.live.connection.value
  const open = office.opened.value
  const chosen = open && (open.key === selected || open.id === selected) ? open.id : selected
  // With no conversation open, the list is what the page is about.
  const Column = selected === null ? 'main' : 'section'
  return (
    <Column class="col list-col" aria-label={title} {...(selected === null && { id: 'main', tabIndex: -1 })}>
      <div class="head">
        <h1>{title}</h1>
        {list === 'queue' && rows?.some(({ due }) => due) && (
          <select
            class="push"
            aria-label={words.clocks.order}
            value={order}
            onChange={(event) => {
              const chosen = event.currentTarget.value as QueueOrder
              keepOrder(chosen)
              setOrder(chosen)
            }}
          >
            <option value="waiting">{words.clocks.byWaiting}</option>
            <option value="due">{words.clocks.byDue}</option>
          </select>
        )}
        {rows && (
          <span class="mute">
            {list === 'queue' ? words.list.waitingCount(rows.length) : words.list.openCount(rows.length)}
          </span>
        )}
      </div>
      {connection.is === 'offline' && (
        <p class="band warn">
          <Icon name="off" />
          {words.connection.asOf(timeOfDay(connection.since))}
          <span>{words.connection.notShown}</span>
        </p>
      )}
      <div class="scroll" tabIndex={-1}>
        {rows === null && <Skeleton />}
        {rows && <RowList key={list} label={title} rows={rows} selected={chosen} />}
        {rows?.length === 0 && <EmptyList list={list} />}
      </div>
    </Column>
  )
}

function rowsOf(office: Office, list: ListName, order: QueueOrder): RowData[] | null {
  const now = office.now.value
  const draft = (id: string): string | null => office.drafts.value?.of(id)?.text ?? null
  if (list === 'queue') {
    const rows = office.queue.state.value
    return rows && queueRows(rows, order).map((row) => ({ ...queued(row, now), draft: draft(row.conversation) }))
  }
  const rows = office[list].state.value
  const mark = list === 'inbox' ? markOf : () => null
  return (
    rows &&
    [...rows.values()].toSorted(newestFirst).map((row) => {
      return { ...own(row, now), mark: mark(row), draft: draft(row.conversation) }
    })
  )
}

/** Why it is in the inbox. */
function markOf({ follow }: InboxRow): string {
  return follow ? t().list.followed : t().list.assigned
}

function queued(row: QueueRow, now: number): RowData {
  const waited = duration(now - Date.parse(row.queuedAt))
  const name = row.contactName || t().list.anonymous
  const { touchpoint, category, preview } = row
  return {
    id: row.conversation,
    name,
    touchpoint,
    category,
    preview,
    when: waited,
    whenSaid: t().duration.waitingFor(waited),
    due: dueIn(row.nextDue, now),
    unread: 0,
  }
}

function own(row: InboxRow, now: number): RowData {
  const when = row.lastMessageAt ? shortTime(row.lastMessageAt, now) : ''
  const { conversation: id, touchpoint, category, preview, unreadCount: unread } = row
  return {
    id,
    name: row.contactName || t().list.anonymous,
    touchpoint,
    category,
    preview,
    when,
    whenSaid: when,
    due: dueIn(row.nextDue, now),
    unread,
  }
}

function newestFirst(a: { lastMessageAt: string | null }, b: { lastMessageAt: string | null }): number {
  return (b.lastMessageAt ?? '') < (a.lastMessageAt ?? '') ? -1 : 1
}

/** As high as the rows that will come, so that nothing jumps. */
function Skeleton() {
  return (
    <div aria-hidden="true">
      {[0, 1, 2, 3, 4].map((index) => (
        <div class="row" key={index}>
          <span class="skel av" />
          <div class="skels">
            <span class="skel w1" />
            <span class="skel w2" />
            <span class="skel" />
          </div>
        </div>
      ))}
    </div>
  )
}
