import { useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { timeOfDay } from '../../shared/i18n/format.js'
import { Icon } from '../../shared/ui/icon.js'
import { useOffice, type Office } from '../office.js'
import type { ListName } from '../route.js'
import { EmptyList } from './empty-list.js'
import { keepOrder, queueRows, readOrder, type QueueOrder } from './queue-rows.js'
import { RowList } from './row-list.js'
import type { ListRow } from './row.js'

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
        {rows && (
          <span class="mute">
            {list === 'queue' ? words.list.waitingCount(rows.length) : words.list.openCount(rows.length)}
          </span>
        )}
        {list === 'queue' && rows?.some(({ nextDue }) => nextDue) && (
          <select
            class="in bare push"
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
      </div>
      {connection.is === 'offline' && (
        <p class="band warn">
          <Icon name="off" />
          {words.connection.asOf(timeOfDay(office.session.serverTime(connection.since)))}
          <span>{words.connection.notShown}</span>
        </p>
      )}
      <div class="scroll" tabIndex={-1}>
        {rows === null && <Skeleton />}
        {rows && <RowList key={list} list={list} label={title} rows={rows} selected={chosen} />}
        {rows?.length === 0 && <EmptyList list={list} />}
      </div>
    </Column>
  )
}

/** The rows in their order. What they say is made of those that are drawn alone: a queue may have thousands. */
function rowsOf(office: Office, list: ListName, order: QueueOrder): readonly ListRow[] | null {
  if (list === 'queue') return office.queue.state.value && queueRows(office.queue.state.value, order)
  const rows = office[list].state.value
  return rows && [...rows.values()].toSorted(newestFirst)
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
          <div>
            <span class="skel av" />
            <div class="skels">
              <span class="skel w1" />
              <span class="skel w2" />
              <span class="skel" />
            </div>
          </div>
        </div>
      ))}
    </div>
  )
}
