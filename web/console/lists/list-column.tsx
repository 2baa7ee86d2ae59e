import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { timeOfDay } from '../../shared/i18n/format.js'
import { Icon } from '../../shared/ui/icon.js'
import type { InboxRow, QueueRow } from '../../shared/live/entries.js'
import { Opened } from '../lazy.js'
import { useStore, type ConsoleStore } from '../store/console-store.js'
import { navigate } from '../../shared/router.js'
import { useCommand } from '../commands/use-command.js'
import { listPath, type ListName } from '../route.js'
import { AvailabilityBand } from '../staffing/availability-band.js'
import { keepOrder, queueRows, readOrder, type QueueOrder } from '../store/queue-rows.js'
import { isFilterAsked } from './ask-filter.js'
import { byTurn, headsByDue, headsByTurn } from './groups.js'
import { RowList } from './row-list.js'
import type { ListRow } from './row.js'
import { ViewsButton } from './views-button.js'

/** Views that have filters, in place of the lists, which are what waits for the agent. */
const FILTERED = { queue: 'waiting', mine: 'active', inbox: 'open' } as const

/** The queue, the agent's own conversations, or the inbox. */
export function ListColumn({ list, selected }: { list: ListName; selected: string | null }) {
  const store = useStore()
  const words = t()
  const [order, setOrder] = useState<QueueOrder>(readOrder)
  const scroller = useRef<HTMLDivElement>(null)
  // Keys act in the list from the first moment on.
  useEffect(() => {
    if (selected === null && document.activeElement === document.body) focusFirst(scroller.current)
  }, [list, selected])
  useCommand({
    id: 'filter',
    label: words.list.filter,
    icon: 'search',
    key: 'f',
    zone: 'list',
    run: () => {
      isFilterAsked.value = true
      navigate(listPath(FILTERED[list]))
    },
  })
  const all = rowsOf(store, list, order)
  const [isFiltered, filter] = useState(false)
  const failed = all?.filter(isUndelivered) ?? []
  const isNarrow = isFiltered && list !== 'queue'
  const rows = isNarrow ? failed : all
  const heads =
    list === 'mine' && rows
      ? headsByTurn(rows as InboxRow[], words.snooze.groups)
      : list === 'queue' && order === 'due' && rows?.some(({ nextDue }) => nextDue)
        ? headsByDue(rows as QueueRow[], words.clocks.groups, store.now.value)
        : undefined
  const title = words.nav[list]
  const connection = store.live.connection.value
  const open = store.opened.value
  const chosen = open && (open.key === selected || open.id === selected) ? open.id : selected
  // With no conversation open, the list is what the page is about.
  const Column = selected === null ? 'main' : 'section'
  return (
    <Column class="col list-col" aria-label={title} {...(selected === null && { id: 'main', tabIndex: -1 })}>
      <div class="head">
        <ViewsButton />
        <h1>{title}</h1>
        {rows && (
          <span class="mute">
            {list === 'queue' ? words.list.waitingCount(rows.length) : words.list.openCount(rows.length)}
          </span>
        )}
        {(failed.length > 0 || isNarrow) && (
          <button class="btn small push" aria-pressed={isNarrow} onClick={() => filter(!isNarrow)}>
            <Icon name="alert" size="s" />
            {words.list.undelivered} <span aria-hidden="true">{failed.length}</span>
          </button>
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
      <AvailabilityBand />
      {connection.is === 'offline' && (
        <p class="band warn">
          <Icon name="off" />
          {words.connection.asOf(timeOfDay(store.session.serverTime(connection.since)))}
          <span>{words.connection.notShown}</span>
        </p>
      )}
      <div ref={scroller} class="scroll" tabIndex={-1} data-zone="list">
        {rows === null && <Skeleton />}
        {rows && <RowList key={list} list={list} label={title} rows={rows} heads={heads} selected={chosen} />}
        {rows?.length === 0 &&
          (isNarrow ? <p class="pad mute">{words.list.undeliveredNone}</p> : <Opened dialog="EmptyList" list={list} />)}
      </div>
    </Column>
  )
}

function focusFirst(scroller: HTMLElement | null): void {
  const row = scroller?.querySelector<HTMLElement>('a[tabindex="0"]') ?? scroller
  row?.focus({ preventScroll: true })
}

/** Tells whether a message to the consumer did not arrive. */
function isUndelivered(row: ListRow): boolean {
  return 'undelivered' in row && row.undelivered > 0
}

/** The rows in their order. What they say is made of those that are drawn alone: a queue may have thousands. */
function rowsOf(store: ConsoleStore, list: ListName, order: QueueOrder): readonly ListRow[] | null {
  if (list === 'queue') return store.lists.queue.state.value && queueRows(store.lists.queue.state.value, order)
  const rows = store.lists[list].state.value
  if (list === 'mine') return rows && byTurn(rows.values())
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
