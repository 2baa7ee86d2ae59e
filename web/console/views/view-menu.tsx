import { batch } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { navigate } from '../../shared/router.js'
import { useCommand } from '../commands/use-command.js'
import { listPath, type AnyList } from '../route.js'
import { ROOMY, viewMenu, VIEWS_MENU } from '../lists/views-button.js'
import { useStore } from '../store/console-store.js'
import { filters, NO_FILTERS } from './filters.js'
import SaveView from './save-view.js'
import { savedViewsOf } from './saved-views.js'
import { saved, useSavedWords } from './saved-words.js'
import { ViewList } from './view-list.js'
import { useViewWords, words } from './words.js'
import { isView, VIEWS } from './view-name.js'

/** The views beside a list, or in a popover where there is no room; all of them in the palette. */
export default function ViewMenu({ list, page }: { list: AnyList; page: string }) {
  useSavedWords()
  useViewWords()
  const store = useStore()
  const known = savedViewsOf(store)
  const isColumn = useMedia(ROOMY) && page === 'list'
  const isShown = page === 'list' || page === 'thread'
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [isNew, setNew] = useState(false)
  const [isAsked, setAsked] = useState(viewMenu.peek() === 'opened')
  useEffect(() => known.start(), [known])
  useEffect(() => menu.current?.hidePopover(), [list, page])
  useEffect(() => {
    if (!isAsked || !isShown) return
    setAsked(false)
    // Once: not again for who signs in next.
    viewMenu.value = 'wanted'
    if (isColumn) focusIn(document.querySelector('.col.views'))
    else menu.current?.showPopover()
  }, [isAsked, isShown])
  const views = known.views.value ?? []
  const { title } = t().views
  const { names } = words
  useEffect(() => {
    const all = [
      ...VIEWS.map((view) => ({ list: view as AnyList, name: names[view] })),
      ...views.map(({ id, name }) => ({ list: `v/${id}` as const, name })),
    ]
    const stops = batch(() =>
      all.map(({ list: to, name }) =>
        store.commands.add({
          id: to,
          label: saved.goTo(name),
          icon: 'star',
          isView: true,
          run: () => navigate(listPath(to)),
        }),
      ),
    )
    return () => batch(() => stops.forEach((stop) => stop()))
  }, [store, views, names, saved.own])
  useCommand({
    id: 'to-views',
    label: saved.toMenu,
    icon: 'star',
    key: 'g w',
    run: () => {
      if (!isShown) navigate(listPath(list))
      setAsked(true)
    },
  })

  const items = <ViewList list={list} add={() => setNew(true)} />
  return (
    <>
      {isShown && isColumn && (
        <nav class="col views" aria-label={title}>
          {items}
        </nav>
      )}
      {isShown && !isColumn && (
        <div
          ref={menu}
          id={VIEWS_MENU}
          class="pop views-menu"
          popover="auto"
          onToggle={(event) => setOpen(event.newState === 'open')}
        >
          {/* Else the names of the views would be there twice. */}
          {isOpen && <Opened title={title}>{items}</Opened>}
        </div>
      )}
      {isNew && (
        <SaveView
          view={null}
          parts={{ conditions: { ...(isView(list) ? filters.peek() : NO_FILTERS), state: stateOf(list) }, rest: {} }}
          close={() => setNew(false)}
        />
      )}
    </>
  )
}

/** A new view begins as the list beside it. */
function stateOf(list: AnyList) {
  return isView(list) ? list : list === 'queue' ? 'waiting' : 'open'
}

function Opened({ title, children }: { title: string; children: ComponentChildren }) {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => focusIn(nav.current), [])
  return (
    <nav ref={nav} class="views" aria-label={title}>
      {children}
    </nav>
  )
}

/** Gives the focus to the view that is shown, else to the first. */
function focusIn(nav: Element | null): void {
  const link = nav?.querySelector<HTMLElement>('[aria-current]') ?? nav?.querySelector<HTMLElement>('a')
  link?.focus()
}

function useMedia(query: string): boolean {
  const [list] = useState(() => matchMedia(query))
  const [fits, set] = useState(list.matches)
  useEffect(() => {
    const change = (): void => set(list.matches)
    list.addEventListener('change', change)
    return () => list.removeEventListener('change', change)
  }, [list])
  return fits
}
