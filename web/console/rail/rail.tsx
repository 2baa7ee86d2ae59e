import { t } from '../../shared/i18n/messages.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { Icon } from '../../shared/ui/icon.js'
import { toggleTheme } from '../../shared/ui/theme.js'
import { awaitsAgent } from '../lists/groups.js'
import { distinct } from '../store/queue-rows.js'
import { useStore } from '../store/console-store.js'
import { listPath, LIVE, route, type AnyList, type ListName } from '../route.js'
import { AvailabilitySwitch } from '../staffing/availability-switch.js'
import { ConnectionWord } from './connection-word.js'
import { MoreMenu, type Place } from './more-menu.js'

/** Links to the pages, how much waits there, and whether that is true. */
export function Rail({ list }: { list: AnyList }) {
  const store = useStore()
  const words = t().nav
  const queue = store.lists.queue.state.value
  const inbox = store.lists.inbox.state.value
  const mine = store.lists.mine.state.value
  const unread = inbox ? [...inbox.values()].filter(({ unreadCount }) => unreadCount > 0).length || inbox.size : null
  const awaiting = mine && [...mine.values()].filter(awaitsAgent).length
  const isStale = store.live.connection.value.is !== 'live'
  const name = store.organization.me.value?.displayName ?? ''
  const { page } = route.value
  const isLive = page === 'reports' && (route.value as { rest: string }).rest === 'wallboard'
  const current = page === 'list' || page === 'thread' ? list : page
  const desks: Place[] = [
    ...(store.supervises ? [{ href: LIVE, label: words.live, icon: 'board', isCurrent: isLive }] : []),
    { href: '/console/reports', label: words.reports, icon: 'chart', isCurrent: page === 'reports' && !isLive },
    ...(store.isAdmin
      ? [{ href: '/console/admin', label: words.admin, icon: 'admin', isCurrent: page === 'admin' }]
      : []),
  ]
  return (
    <nav class="rail" aria-label={words.label} data-stale={isStale || undefined}>
      <a class="skip" href="#main" onClick={skipToMain}>
        {t().skip}
      </a>
      <span class="logo">
        <Icon name="logo" />
      </span>
      <ul>
        <Entry
          name="queue"
          label={words.queue}
          current={current}
          count={queue && distinct(queue)}
          says={words.waiting}
          isQuiet
        />
        <Entry name="mine" label={words.mine} current={current} count={awaiting} says={words.awaiting} isQuiet />
        <Entry name="inbox" label={words.inbox} current={current} count={unread} says={words.unread} />
        <Entry name="contacts" label={words.contacts} current={current} isDesk />
        <Entry name="search" label={words.search} current={current} />
      </ul>
      <hr class="desk" />
      <ul class="desk">
        {desks.map(({ href, label, icon, isCurrent }) => (
          <li key={href}>
            <a href={href} aria-current={isCurrent ? 'page' : undefined}>
              <Icon name={icon} size="l" />
              {label}
            </a>
          </li>
        ))}
      </ul>
      <div class="foot">
        <AvailabilitySwitch />
        <ConnectionWord />
        <button class="btn ghost icon desk" aria-label={words.theme} onClick={toggleTheme}>
          <Icon name="half" />
        </button>
        <a class="desk me" href="/console/settings">
          <Avatar name={name || '?'} of={store.user} />
          <span class="vh">{words.settings(name)}</span>
        </a>
        <MoreMenu
          places={[
            { href: '/console/contacts', label: words.contacts, icon: 'contacts', isCurrent: page === 'contacts' },
            ...desks,
            { href: '/console/settings', label: t().settings.title, icon: 'gear', isCurrent: page === 'settings' },
          ]}
        />
      </div>
    </nav>
  )
}

interface EntryProps {
  name: ListName | 'search' | 'contacts'
  label: string
  current: string
  count?: number | null
  says?: (n: number) => string
  isQuiet?: boolean
  /** Not on a telephone, whose bar has no room for it. */
  isDesk?: boolean
}

/** The count stands beside the link and describes it, so that the link keeps its name. */
function Entry({ name, label, current, count, says, isQuiet, isDesk }: EntryProps) {
  const id = `n-${name}`
  const isShown = count !== undefined && count !== null && count > 0
  return (
    <li class={isDesk ? 'desk' : undefined}>
      <a
        href={name === 'search' || name === 'contacts' ? `/console/${name}` : listPath(name)}
        aria-current={current === name ? 'page' : undefined}
        aria-describedby={isShown ? id : undefined}
      >
        <Icon name={name} size="l" />
        {label}
      </a>
      {isShown && (
        <span class={isQuiet ? 'count quiet' : 'count'} aria-hidden="true">
          {count > 999 ? '999+' : count}
        </span>
      )}
      {isShown && (
        <span id={id} class="vh">
          {says!(count)}
        </span>
      )}
    </li>
  )
}

function skipToMain(event: MouseEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main')?.focus()
}
