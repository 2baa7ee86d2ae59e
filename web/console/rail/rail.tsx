import { t } from '../../shared/i18n/messages.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { Icon } from '../../shared/ui/icon.js'
import { toggleTheme } from '../../shared/ui/theme.js'
import { distinct } from '../lists/queue-rows.js'
import { useOffice } from '../office.js'
import { listPath, route, type ListName } from '../route.js'
import { AvailabilitySwitch } from '../staffing/availability-switch.js'
import { ConnectionWord } from './connection-word.js'
import { MoreMenu, type Place } from './more-menu.js'

/** Where one can go, how much waits there, and whether that is true. */
export function Rail({ list }: { list: ListName }) {
  const office = useOffice()
  const words = t().nav
  const queue = office.queue.state.value
  const inbox = office.inbox.state.value
  const mine = office.mine.state.value
  const unread = inbox ? [...inbox.values()].filter(({ unreadCount }) => unreadCount > 0).length || inbox.size : null
  const isStale = office.live.connection.value.is !== 'live'
  const name = office.me.value?.displayName ?? ''
  const { page } = route.value
  const current = page === 'list' || page === 'thread' ? list : page
  const desks: Place[] = [
    ...(office.isAdmin || office.supervises.value
      ? [{ href: '/console/reports', label: words.reports, icon: 'chart', isCurrent: page === 'reports' }]
      : []),
    ...(office.isAdmin
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
        <Entry name="mine" label={words.mine} current={current} count={mine && mine.size} says={words.open} isQuiet />
        <Entry name="inbox" label={words.inbox} current={current} count={unread} says={words.unread} />
        <Entry name="search" label={words.search} current={current} />
      </ul>
      {desks.length > 0 && (
        <>
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
        </>
      )}
      <div class="foot">
        <AvailabilitySwitch />
        <ConnectionWord />
        <button class="btn ghost icon desk" aria-label={words.theme} onClick={toggleTheme}>
          <Icon name="half" />
        </button>
        <a class="desk me" href="/console/settings">
          <Avatar name={name || '?'} of={office.user} />
          <span class="vh">{words.settings(name)}</span>
        </a>
        <MoreMenu
          places={[
            ...desks,
            { href: '/console/settings', label: t().settings.title, icon: 'gear', isCurrent: page === 'settings' },
          ]}
        />
      </div>
    </nav>
  )
}

interface EntryProps {
  name: ListName | 'search'
  label: string
  current: string
  count?: number | null
  says?: (n: number) => string
  isQuiet?: boolean
}

/** The count stands beside the link and describes it, so that the link keeps its name. */
function Entry({ name, label, current, count, says, isQuiet }: EntryProps) {
  const id = `n-${name}`
  const isShown = count !== undefined && count !== null && count > 0
  return (
    <li>
      <a
        href={name === 'search' ? '/console/search' : listPath(name)}
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
