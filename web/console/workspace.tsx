import { useSignal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../shared/i18n/messages.js'
import { Icon } from '../shared/ui/icon.js'
import { GlobalCommands } from './commands/global-commands.js'
import { Lazy, Part } from './lazy.js'
import { ListColumn } from './lists/list-column.js'
import { viewMenu } from './lists/views-button.js'
import { useStore } from './store/console-store.js'
import { OfferBand } from './offers/offer-band.js'
import { Rail } from './rail/rail.js'
import { isLive, isSaved, route, type AnyList, type Route } from './route.js'
import { ThreadColumns } from './thread/thread-columns.js'
import { Toast } from './toast.js'
import { isView } from './views/view-name.js'

/** The four columns. The body never scrolls, its columns do. */
export function Workspace() {
  const store = useStore()
  const shown = forUsers(route.value)
  const list = useSignal(keptList())
  if (shown.page === 'list') list.value = shown.list
  const { value: name } = list
  const selected = shown.page === 'thread' ? shown.key : null
  const [isRefused] = useState(() => location.search.includes('refused='))
  // The address gets the conversation's name once it is known: what is shown of it stays.
  const thread = useRef({ address: '', key: '' })
  if (shown.page === 'thread' && shown.key !== thread.current.address) {
    const isSame = store.opened.peek()?.key === shown.key
    thread.current = { address: shown.key, key: isSame ? thread.current.key : shown.key }
  }
  useEffect(() => keepList(name), [name])
  useEffect(() => {
    // Of views the column says it.
    if ((shown.page === 'list' || shown.page === 'thread') && isLive(name))
      document.title = `${t().nav[name]} · ${t().app}`
  }, [shown])
  return (
    <div class={LAYOUTS[shown.page]} data-view={shown.page === 'thread' ? 'thread' : 'list'}>
      <Rail list={name} />
      {shown.page === 'search' && <Lazy key="search" load={() => import('./search/search.js')} />}
      {shown.page === 'contacts' && <Lazy key="contacts" load={() => import('./contacts/contacts.js')} />}
      {shown.page === 'settings' && <Lazy key="settings" load={() => import('./settings/settings.js')} />}
      {shown.page === 'reports' && <Lazy key="reports" load={() => import('./reports/reports.js')} />}
      {shown.page === 'admin' && <Lazy key="admin" load={() => import('./admin/admin.js')} />}
      {/* After what an agent begins with. */}
      {viewMenu.value && store.organization.me.value && (
        <Part load={() => import('./views/view-menu.js')} props={{ list: name, page: shown.page }} />
      )}
      {(shown.page === 'list' || shown.page === 'thread') &&
        (isLive(name) ? (
          <ListColumn list={name} selected={selected} />
        ) : (
          <Lazy key="views" load={() => import('./views/view-column.js')} props={{ list: name, selected }} />
        ))}
      {shown.page === 'thread' && <ThreadColumns key={thread.current.key} route={shown} list={name} />}
      {shown.page === 'list' && <NothingOpen />}
      {shown.page === 'unknown' && <Lazy key="unknown" load={() => import('./no-page.js')} />}
      <Toast />
      {isRefused && <Part load={() => import('./sign-in/refused-toast.js')} />}
      <OfferBand />
      <GlobalCommands />
      <p class="vh" role="status">
        {store.organization.me.value ? '' : t().loading}
      </p>
    </div>
  )
}

/** The pages for those who cannot sign in are the queue for those who have. */
function forUsers(shown: Route): Exclude<Route, { page: 'forgot' | 'choosePassword' }> {
  return shown.page === 'forgot' || shown.page === 'choosePassword' ? { page: 'list', list: 'queue' } : shown
}

const LAYOUTS: Readonly<Record<ReturnType<typeof forUsers>['page'], string>> = {
  list: 'app listing',
  thread: 'app',
  search: 'app wide',
  contacts: 'app wide',
  settings: 'app wide',
  admin: 'app admin',
  reports: 'app admin',
  unknown: 'app wide',
}

const LIST_KEY = 'list'

/** The list from which this tab's conversation was opened: a reload stays in it. */
function keptList(): AnyList {
  try {
    const kept = sessionStorage.getItem(LIST_KEY)
    return kept && (isLive(kept) || isView(kept) || isSaved(kept)) ? kept : 'queue'
  } catch {
    return 'queue'
  }
}

function keepList(list: AnyList): void {
  try {
    sessionStorage.setItem(LIST_KEY, list)
  } catch {
    // The browser keeps nothing; the list lasts as long as the page.
  }
}

/** Beside an empty list: how to begin, for whoever can set things up and has not; else what could be opened. */
function NothingOpen() {
  const store = useStore()
  const isNew = store.isAdmin && store.organization.ownChannels.value?.length === 0
  const words = t().thread
  const nothing = (
    <div class="nothing">
      <Icon name="chat" size="l" />
      <h2>{words.choose}</h2>
      <p class="mid">{words.chooseHelp}</p>
    </div>
  )
  return (
    <section class="col thread empty" aria-label={words.choose}>
      {isNew ? <Part load={() => import('./admin/guide.js')} meanwhile={nothing} /> : nothing}
    </section>
  )
}
