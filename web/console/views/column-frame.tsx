import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Refused } from '@switchboard/client'
import { timeOfDay } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { RowList } from '../lists/row-list.js'
import { ViewsButton } from '../lists/views-button.js'
import type { AnyList } from '../route.js'
import { useStore } from '../store/console-store.js'
import type { useRows } from './use-rows.js'
import { words } from './words.js'

interface ColumnFrameProps {
  list: AnyList
  title: string
  count: string
  /** Acts at the end of the head. */
  acts?: ComponentChildren
  /** Between the head and the rows. */
  children: ComponentChildren
  shown: ReturnType<typeof useRows>
  /** The conversation that is open, as the address names it. */
  selected: string | null
  /** Leaves out the filters; undefined: there are none. */
  clear: (() => void) | undefined
}

/** A list of conversations by pages, with its name and what narrows it above. */
export function ColumnFrame({ list, title, count, acts, children, shown, selected, clear }: ColumnFrameProps) {
  const store = useStore()
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, more, error, at, refresh } = shown
  const open = store.opened.value
  const chosen = open && (open.key === selected || open.id === selected) ? open.id : selected
  const Column = selected === null ? 'main' : 'section'
  const isThere = rows !== null
  // Keys act in the list as soon as it is there, unless the agent is somewhere else by then.
  useEffect(() => {
    if (!isThere || selected !== null || document.activeElement !== document.body) return
    const row = scroller.current?.querySelector<HTMLElement>('a[tabindex="0"]') ?? scroller.current
    row?.focus({ preventScroll: true })
  }, [list, isThere])
  return (
    <Column class="col list-col" aria-label={title} {...(selected === null && { id: 'main', tabIndex: -1 })}>
      <div class="head">
        <ViewsButton />
        <div class="grow">
          <h1 class="cut">
            <bdi>{title}</bdi>
          </h1>
          <p class="sub">{[count, at !== null && words.asOf(timeOfDay(at))].filter(Boolean).join(' · ') || '\u00a0'}</p>
        </div>
        {acts}
      </div>
      {children}
      {error && at !== null && !(error instanceof Refused) && (
        <p class="band warn" role="status">
          <Icon name="off" />
          {t().connection.asOf(timeOfDay(at))}
        </p>
      )}
      {error && (at === null || error instanceof Refused) && (
        <p class="band bad" role="alert">
          <Icon name="alert" />
          {words.failed} {error instanceof Refused && error.message}
          <button class="btn small push" onClick={refresh}>
            {t().retry}
          </button>
        </p>
      )}
      <div ref={scroller} class="scroll" tabIndex={-1} data-zone="list" aria-busy={rows === null && !error}>
        {rows && <RowList key={list} list={list} label={title} rows={rows} selected={chosen} />}
        {rows?.length === 0 && (
          <p class="pad mid">
            {clear ? words.fits : words.none}{' '}
            {clear && (
              <button class="link" onClick={clear}>
                {words.clear}
              </button>
            )}
          </p>
        )}
        {more && (
          <p class="pad">
            <button class="btn" onClick={more}>
              {words.more}
            </button>
          </p>
        )}
      </div>
    </Column>
  )
}
