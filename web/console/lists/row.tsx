import { t } from '../../shared/i18n/messages.js'
import { dayTime, duration, shortTime } from '../../shared/i18n/format.js'
import type { InboxRow, QueueRow } from '../../shared/live/entries.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { TOUCHPOINT_TRAITS } from '../../shared/touchpoint-traits.js'
import { Icon } from '../../shared/ui/icon.js'
import { LabelChips } from '../labels/label-chips.js'
import { bulk } from '../lazy.js'
import { useStore } from '../store/console-store.js'
import { threadPath, type AnyList } from '../route.js'
import { DueTime } from './due.js'

/** A row of the queue, or of the agent's own conversations. */
export type ListRow = QueueRow | InboxRow

interface RowProps {
  list: AnyList
  row: ListRow
  /** Words above it. */
  head?: string | undefined
  isSelected: boolean
  isTabStop: boolean
  /** In a list of which not all rows are drawn: its number, of how many, and where it is. */
  place?: number
  of?: number
  top?: number
}

/**
 * The whole row is the link, and its text the link's name: nothing lies over it, so that it can be selected, pointed at and
 * spoken to as it is seen. The row can be focused as well, so that `Enter` on either opens the thread. It is drawn again
 * when its entry is another object, and when what it reads of the store changes.
 */
export function Row({ list, row, head, isSelected, isTabStop, place, of, top }: RowProps) {
  const store = useStore()
  const words = t()
  const now = store.now.value
  const { conversation: id, touchpoint, category, preview } = row
  const name = row.contactName || words.list.anonymous
  const unread = 'unreadCount' in row ? row.unreadCount : 0
  const Pick = bulk.value?.Pick
  const draft = store.writing.drafts.value?.of(id)?.text
  // Why it is in the inbox.
  const mark = list === 'inbox' && 'reason' in row && row.reason && words.list.reasons[row.reason]
  return (
    <li
      class={unread > 0 ? 'row unread' : 'row'}
      data-on={isSelected || undefined}
      data-id={id}
      tabIndex={-1}
      aria-posinset={place}
      aria-setsize={of}
      style={top === undefined ? undefined : `inset-block-start:${top}px`}
    >
      {head && <h2 class="group">{head}</h2>}
      <a
        href={threadPath(id)}
        tabIndex={isTabStop ? 0 : -1}
        aria-current={isSelected ? 'true' : undefined}
        onClick={() => isSelected && store.focusOpened()}
      >
        <Avatar name={name} of={id} />
        <div>
          <div class="top">
            <bdi class="name">{name}</bdi>
            {unread > 0 && (
              <span class="count">
                {unread}
                <span class="vh"> {words.list.unreadMark(unread)}</span>
              </span>
            )}
            <span class="wait">
              {'queuedAt' in row && <span class="vh">{words.duration.waits} </span>}
              {timeOf(row, now)}
            </span>
          </div>
          <p class="text cut" dir="auto">
            {draft ? <span class="draft">{words.list.draft} </span> : null}
            {draft ?? preview ?? '\u00a0'}
          </p>
          <div class="meta">
            {touchpoint && <Icon name={TOUCHPOINT_TRAITS[touchpoint].icon} size="s" />}
            <span>{touchpoint ? words.touchpoint[touchpoint] : words.touchpoint.none}</span>
            <span class="cut">{category ?? words.list.noCategory}</span>
            {row.nextDue && <DueTime at={row.nextDue} now={now} />}
            {'undelivered' in row && row.undelivered > 0 && (
              <span class="bad nowrap">
                <Icon name="alert" size="s" /> {words.list.undelivered}
              </span>
            )}
            {'snoozedUntil' in row && row.snoozedUntil && (
              <span class="nowrap">
                <Icon name="snooze" size="s" /> {words.snooze.groups[2]}
              </span>
            )}
            {mark && <span class="tag">{mark}</span>}
            <LabelChips labels={row.labels.flatMap((label) => store.organization.labels.value.get(label) ?? [])} />
          </div>
        </div>
      </a>
      {Pick && <Pick id={id} name={name} />}
    </li>
  )
}

/** At the end of the first line: how long it waits, or when it was. */
function timeOf(row: ListRow, now: number): string {
  if ('snoozedUntil' in row && row.snoozedUntil) return dayTime(row.snoozedUntil, now)
  if ('queuedAt' in row) return duration(now - Date.parse(row.queuedAt))
  return row.lastMessageAt ? shortTime(row.lastMessageAt, now) : ''
}
