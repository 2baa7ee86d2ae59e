import type { Touchpoint } from '../../shared/graphql/live.js'
import { t } from '../../shared/i18n/messages.js'
import { Avatar } from '../../shared/ui/avatar.js'
import type { Due } from './due.js'
import { Icon, TOUCHPOINT_ICONS } from '../../shared/ui/icon.js'
import { threadPath } from '../route.js'

export interface RowData {
  id: string
  name: string
  touchpoint: Touchpoint | null
  category: string | null
  preview: string | null
  /** At the end of the first line: how long it waits, or when it was. */
  when: string
  /** The same for a screen reader. */
  whenSaid: string
  unread: number
  /** At the end of the last line. */
  mark?: string | null
  /** When it is due. */
  due?: Due | null
  draft?: string | null
}

/** The whole row is the link; it can be focused as well, so that `Enter` on either opens the thread. */
export function Row({
  row,
  isSelected,
  isTabStop,
  style,
}: {
  row: RowData
  isSelected: boolean
  isTabStop: boolean
  style?: string
}) {
  const words = t()
  return (
    <li
      class={row.unread > 0 ? 'row unread' : 'row'}
      data-on={isSelected || undefined}
      data-id={row.id}
      tabIndex={-1}
      style={style}
    >
      <a
        href={threadPath(row.id)}
        tabIndex={isTabStop ? 0 : -1}
        aria-label={[row.name, row.whenSaid, row.due?.text].filter(Boolean).join(', ')}
        aria-current={isSelected ? 'true' : undefined}
      />
      <Avatar name={row.name} of={row.id} />
      <div>
        <div class="top">
          <bdi class="name">{row.name}</bdi>
          {row.unread > 0 && (
            <span class="count">
              {row.unread}
              <span class="vh"> {words.list.unreadMark(row.unread)}</span>
            </span>
          )}
          <span class="wait">{row.when}</span>
        </div>
        <p class="text cut" dir="auto">
          {row.draft ? <span class="draft">{words.list.draft} </span> : null}
          {row.draft ?? row.preview ?? '\u00a0'}
        </p>
        <div class="meta">
          {row.touchpoint && <Icon name={TOUCHPOINT_ICONS[row.touchpoint]} size="s" />}
          <span>{row.touchpoint ? words.touchpoint[row.touchpoint] : words.touchpoint.none}</span>
          <span class="cut">{row.category ?? words.list.noCategory}</span>
          {row.due && <span class={`push tag ${row.due.tone}`}>{row.due.text}</span>}
          {row.mark && <span class={row.due ? 'tag' : 'push tag'}>{row.mark}</span>}
        </div>
      </div>
    </li>
  )
}
