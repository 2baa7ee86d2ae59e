import { useSignal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../shared/i18n/messages.js'
import { Icon } from '../shared/ui/icon.js'
import { GlobalCommands } from './commands/global-commands.js'
import { Lazy } from './lazy.js'
import { ListColumn } from './lists/list-column.js'
import { useStore } from './store/console-store.js'
import { OfferBand } from './offers/offer-band.js'
import { Rail } from './rail/rail.js'
import { isView, route, type ListName, type Route, type ViewName } from './route.js'
import { ThreadColumns } from './thread/thread-columns.js'
import { Toast } from './toast.js'

/** The four columns. The body never scrolls, its columns do. */
export function Workspace() {
  const store = useStore()
  const shown = forUsers(route.value)
  const list = useSignal(keptList())
  if (shown.page === 'list') list.value = shown.list
  const { value: name } = list
  // The address gets the conversation's name once it is known: what is shown of it stays.
  const thread = useRef({ address: '', key: '' })
  if (shown.page === 'thread' && shown.key !== thread.current.address) {
    const isSame = store.opened.peek()?.key === shown.key
    thread.current = { address: shown.key, key: isSame ? thread.current.key : shown.key }
  }
  useEffect(() => keepList(name), [name])
  useEffect(() => {
    if (shown.page === 'list' || shown.page === 'thread')
      document.title = `${isView(list.value) ? t().views[list.value] : t().nav[list.value]} · ${t().app}`
  }, [shown])
  return (
    <div class={LAYOUTS[shown.page]} data-view={shown.page === 'thread' ? 'thread' : 'list'}>
      <Rail list={list.value} />
      {shown.page === 'search' && <Lazy key="search" load={() => import('./search/search.js')} />}
      {shown.page === 'contacts' && <Lazy key="contacts" load={() => import('./contacts/contacts.js')} />}
      {shown.page === 'settings' && <Lazy key="settings" load={() => import('./settings/settings.js')} />}
      {shown.page === 'reports' && <Lazy key="reports" load={() => import('./reports/reports.js')} />}
      {shown.page === 'admin' && <Lazy key="admin" load={() => import('./admin/admin.js')} />}
      {(shown.page === 'list' || shown.page === 'thread') &&
        (isView(list.value) ? (
          <Lazy
            key="views"
            load={() => import('./views/view-column.js')}
            props={{ view: list.value, selected: shown.page === 'thread' ? shown.key : null }}
          />
        ) : (
          <ListColumn list={list.value} selected={shown.page === 'thread' ? shown.key : null} />
        ))}
      {shown.page === 'thread' && <ThreadColumns key={thread.current.key} route={shown} list={list.value} />}
      {shown.page === 'list' && <NothingOpen />}
      {shown.page === 'unknown' && <Lazy key="unknown" load={() => import('./no-page.js')} />}
      <Toast />
      <Refusal shown={shown} />
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
  list: 'app',
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
function keptList(): ListName | ViewName {
  try {
    const kept = sessionStorage.getItem(LIST_KEY)
    return kept === 'mine' || kept === 'inbox' || (kept !== null && isView(kept)) ? kept : 'queue'
  } catch {
    return 'queue'
  }
}

function keepList(list: ListName | ViewName): void {
  try {
    sessionStorage.setItem(LIST_KEY, list)
  } catch {
    // The browser keeps nothing; the list lasts as long as the page.
  }
}

/** Says why a sign-in by a provider led to nothing, where the page does not say it itself. */
function Refusal({ shown }: { shown: Route }) {
  const [toast, setToast] = useState<{ Toast: FunctionComponent } | null>(null)
  useEffect(() => {
    const isSaid = shown.page === 'settings' || (shown.page === 'admin' && shown.rest === 'signIn')
    if (isSaid || !new URLSearchParams(location.search).has('refused')) return
    import('./sign-in/refused-toast.js').then(
      (module) => setToast({ Toast: module.default }),
      () => undefined,
    )
  }, [])
  return toast && <toast.Toast />
}

/** Beside an empty list: how to begin, for whoever can set things up and has not; else what could be opened. */
function NothingOpen() {
  const store = useStore()
  const [guide, setGuide] = useState<{ SetUp: FunctionComponent } | null>(null)
  const isNew = store.isAdmin && store.organization.ownChannels.value?.length === 0
  useEffect(() => {
    if (!isNew) return
    import('./admin/guide.js').then(
      (module) => setGuide({ SetUp: module.default }),
      () => undefined,
    )
  }, [isNew])
  if (isNew && guide)
    return (
      <section class="col thread empty" aria-label={t().thread.choose}>
        <guide.SetUp />
      </section>
    )
  return (
    <section class="col thread empty" aria-label={t().thread.choose}>
      <div class="nothing">
        <Icon name="chat" size="l" />
        <h2>{t().thread.choose}</h2>
        <p class="mid">{t().thread.chooseHelp}</p>
      </div>
    </section>
  )
}
