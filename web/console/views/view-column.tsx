import { useEffect, useState } from 'preact/hooks'
import { ViewCountsDocument, ViewPageDocument, type ViewPageQuery } from '../../generated/views.js'
import { timeOfDay } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import type { InboxRow } from '../../shared/live/entries.js'
import { navigate } from '../../shared/router.js'
import { Icon } from '../../shared/ui/icon.js'
import { useQuery } from '../admin/use-query.js'
import { RowList } from '../lists/row-list.js'
import { useAllPages } from '../lists/use-all-pages.js'
import { listPath, VIEWS, type ViewName } from '../route.js'
import { useStore } from '../store/console-store.js'
import { askedFor, filters, NO_FILTERS, type Filters } from './filters.js'
import { useViewWords, words } from './words.js'

type Node = ViewPageQuery['conversations']['edges'][number]['node']

/** A view of conversations, whoever has them: by pages, and asked for again while it is shown. */
export default function ViewColumn({ view, selected }: { view: ViewName; selected: string | null }) {
  useViewWords()
  const store = useStore()
  const title = t().views[view]
  const { rows, more, error, at, refresh } = useRows(view)
  const counts = useQuery(ViewCountsDocument, { views: VIEWS.map((each) => COUNTED[each]) }).data?.viewCounts
  const countOf = (each: ViewName): string => {
    const counted = counts?.find((one) => one.view === COUNTED[each])
    return counted ? `${counted.count}${counted.isMore ? '+' : ''}` : ''
  }
  const isNarrowed = Object.values(filters.value).some(Boolean)
  const open = store.opened.value
  const chosen = open && (open.key === selected || open.id === selected) ? open.id : selected
  const Column = selected === null ? 'main' : 'section'
  return (
    <Column class="col list-col" aria-label={title} {...(selected === null && { id: 'main', tabIndex: -1 })}>
      <div class="head">
        <h1>{title}</h1>
        <span class="mute">{countOf(view)}</span>
        {at !== null && <span class="mute push t2">{words.asOf(timeOfDay(at))}</span>}
      </div>
      <Chosen view={view} countOf={countOf} />
      {error && (
        <p class="band bad" role="alert">
          <Icon name="alert" />
          {words.failed} {error.message}
          <button class="btn small push" onClick={refresh}>
            {t().retry}
          </button>
        </p>
      )}
      <div class="scroll" tabIndex={-1} data-zone="list" aria-busy={rows === null}>
        {rows && <RowList key={view} list={view} label={title} rows={rows} selected={chosen} />}
        {rows?.length === 0 && (
          <p class="pad mid">
            {isNarrowed ? words.fits : words.none}{' '}
            {isNarrowed && (
              <button class="link" onClick={() => (filters.value = NO_FILTERS)}>
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

const COUNTED = {
  open: 'OPEN',
  waiting: 'WAITING',
  active: 'ACTIVE',
  snoozed: 'SNOOZED',
  undelivered: 'UNDELIVERED',
  closed: 'CLOSED',
} as const

/** The filters above the list; the state is the view. */
function Chosen({ view, countOf }: { view: ViewName; countOf(view: ViewName): string }) {
  const { organization } = useStore()
  const channels = organization.channels.value ?? []
  const labels = [...organization.labels.value.values()]
  const me = organization.me.value
  const agents = [
    ...(me ? [{ id: me.id, name: me.displayName }] : []),
    ...organization.colleagues.value.map(({ id, displayName }) => ({ id, name: displayName })),
  ]
  return (
    <div class="filters" role="group" aria-label={words.filters}>
      <label>
        {words.state}
        <select class="in" value={view} onChange={(event) => navigate(listPath(event.currentTarget.value as ViewName))}>
          {VIEWS.map((each) => (
            <option key={each} value={each}>
              {[t().views[each], countOf(each)].filter(Boolean).join(' · ')}
            </option>
          ))}
        </select>
      </label>
      <Filter name="channel" label={words.channel} options={channels} />
      <Filter name="agent" label={words.agent} options={agents} />
      <Filter name="label" label={words.label} options={labels} />
    </div>
  )
}

interface FilterProps {
  name: keyof Filters
  label: string
  options: readonly { id: string; name: string }[]
}

function Filter({ name, label, options }: FilterProps) {
  return (
    <label>
      {label}
      <select
        class="in"
        value={filters.value[name]}
        onChange={(event) => (filters.value = { ...filters.peek(), [name]: event.currentTarget.value })}
      >
        <option value="">{words.any}</option>
        {options.map(({ id, name: option }) => (
          <option key={id} value={id}>
            {option}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The rows of a view with the filters, and when they were asked for. */
function useRows(view: ViewName) {
  const store = useStore()
  const { data, rows, more, error, refresh } = useAllPages(
    ViewPageDocument,
    askedFor(view, filters.value),
    ({ conversations }) => conversations,
  )
  const [at, setAt] = useState<number | null>(null)
  useEffect(() => {
    if (data) setAt(store.session.now())
  }, [data])
  // A row that has moved meanwhile may be on two pages.
  const seen = rows && new Map(rows.map((node) => [node.id, rowOf(node)] as const))
  return { rows: seen && [...seen.values()], more, error, at, refresh }
}

/** As a row of the agent's own lists has it. */
function rowOf(node: Node): InboxRow {
  const { id, organizationId, contact, labelIds, myParticipant, closedAt, lastMessageAt, ...rest } = node
  return {
    ...rest,
    conversation: id,
    organization: organizationId,
    contactName: contact?.profile.name ?? null,
    labels: labelIds,
    lastMessageAt: closedAt ?? lastMessageAt,
    unreadCount: myParticipant?.unreadCount ?? 0,
    active: myParticipant?.active ?? false,
    accepted: myParticipant?.accepted ?? false,
    follow: myParticipant?.follow ?? false,
    nextDue: null,
    awaitsAnswer: false,
    reason: null,
  }
}
