import { useRef, useState } from 'preact/hooks'
import { Refused } from '@switchboard/client'
import { t } from '../../shared/i18n/messages.js'
import { navigate } from '../../shared/router.js'
import { RequestDialog } from '../request-dialog.js'
import { listPath } from '../route.js'
import { useStore } from '../store/console-store.js'
import { describeGap, describeRest } from './describe.js'
import { FilterBar } from './filter-bar.js'
import { filterWith, type Gap, type Parts, type StoredFilter } from './saved-filter.js'
import { saveFault } from './save-fault.js'
import { savedViewsOf, type SavedView } from './saved-views.js'
import { saved, useSavedWords } from './saved-words.js'
import { useMayShare } from './use-may-share.js'
import { useViewWords } from './words.js'

interface SaveViewProps {
  /** The view that changes; null: a new one. */
  view: SavedView | null
  /** Its filter, to begin with. */
  parts: Parts
  /** Name and order of a new one, to begin with. */
  like?: Pick<SavedView, 'name' | 'orderBy'> | undefined
  /** Records that its filter named before, and that are left out. */
  gaps?: readonly Gap[]
  close(isSaved: boolean): void
}

type Order = keyof typeof saved.orders

const DIRECTIONS: Readonly<Record<Order, 'ASC' | 'DESC'>> = {
  lastMessageAt: 'DESC',
  queuedAt: 'ASC',
  nextDue: 'ASC',
  createdAt: 'DESC',
  closedAt: 'DESC',
}
/** As the input names them. */
const FIELDS = {
  lastMessageAt: 'LAST_MESSAGE_AT',
  queuedAt: 'QUEUED_AT',
  nextDue: 'NEXT_DUE',
  createdAt: 'CREATED_AT',
  closedAt: 'CLOSED_AT',
} as const
const ONLY = ['awaitsAnswer', 'unread'] as const

/** Makes or changes a view: its name, its filter, its order, and for whom it is. */
export default function SaveView({ view, parts, like, gaps = [], close }: SaveViewProps) {
  useViewWords()
  useSavedWords()
  const store = useStore()
  const known = savedViewsOf(store)
  const mayShare = useMayShare()
  const given = view ?? like
  const [name, setName] = useState(given?.name ?? '')
  const [conditions, choose] = useState(parts.conditions)
  const [only, setOnly] = useState(() => onlyOf(parts.rest))
  const [order, setOrder] = useState(() => orderOf(given?.orderBy ?? [], parts))
  const [isShared, share] = useState(view ? view.ownerId === null : false)
  // Of what another tab or a colleague has changed or deleted meanwhile, the next attempt is another.
  const base = useRef(view && { id: view.id, version: view.version })
  const rest = restWith(parts.rest, only)
  const also = describeRest(store, restWith(parts.rest, 'any'))

  const save = async (): Promise<void> => {
    if (store.live.connection.peek().is === 'offline') throw new Error(saved.faults.offline)
    const input = {
      name: name.trim(),
      filter: filterWith({ conditions, rest }),
      ...(order !== 'own' && { orderBy: [{ field: FIELDS[order], direction: DIRECTIONS[order] }] }),
      ...(base.current ? { ifVersion: base.current.version } : { isShared }),
      ...(order === 'own' && !base.current && { orderBy: given!.orderBy as never }),
    }
    try {
      const { id } = await known.save({ id: base.current?.id ?? null, input })
      if (id !== view?.id) navigate(listPath(`v/${id}`))
    } catch (error) {
      if (error instanceof Refused && base.current) await lookAgain(error)
      throw new Error(saveFault(error as Error, isShared), { cause: error })
    }
  }
  const lookAgain = async ({ code, field }: Refused): Promise<void> => {
    if (code === 'NOT_FOUND' && !field?.startsWith('filter')) base.current = null
    if (code !== 'PRECONDITION_FAILED') return
    await known.refresh()
    const now = known.views.peek()?.find(({ id }) => id === view!.id)
    base.current = now ? { id: now.id, version: now.version } : null
  }
  return (
    <RequestDialog
      title={view ? saved.edit : saved.save}
      icon="star"
      label={t().save}
      tone="primary"
      isReady={name.trim() !== ''}
      submit={save}
      close={close}
    >
      <div class="field">
        <label for="view-name">{saved.name}</label>
        <input
          class="in"
          id="view-name"
          required
          maxLength={80}
          autocomplete="off"
          autofocus
          dir="auto"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <FilterBar conditions={conditions} change={choose} hasAny>
        <Choice label={saved.only} value={only} options={saved.onlys} choose={(value) => setOnly(value)} />
        <Choice
          label={saved.order}
          value={order}
          options={order === 'own' ? { own: saved.ownOrder, ...saved.orders } : saved.orders}
          choose={(value) => setOrder(value)}
        />
      </FilterBar>
      {also.length > 0 && (
        <p class="hint">
          {saved.also}: <bdi>{also.join(' · ')}</bdi>
        </p>
      )}
      {gaps.length > 0 && <p class="hint">{saved.without(gaps.map(describeGap).join(', '))}</p>}
      {!view && mayShare && (
        <div class="field">
          <label for="view-whose">{saved.whose}</label>
          <select
            class="in"
            id="view-whose"
            value={String(isShared)}
            onChange={(event) => share(event.currentTarget.value === 'true')}
          >
            <option value="false">{saved.mine}</option>
            <option value="true">{saved.everyone}</option>
          </select>
        </div>
      )}
    </RequestDialog>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  options: Partial<Record<Value, string>>
  choose(value: Value): void
}

function Choice<Value extends string>({ label, value, options, choose }: ChoiceProps<Value>) {
  return (
    <label>
      {label}
      <select class="in" value={value} onChange={(event) => choose(event.currentTarget.value as Value)}>
        {Object.entries<string | undefined>(options).map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

type Only = 'any' | (typeof ONLY)[number]

const isTrue = (condition: unknown): boolean => JSON.stringify(condition) === '{"eq":true}'

function onlyOf(rest: StoredFilter): Only {
  return ONLY.find((name) => isTrue(rest[name])) ?? 'any'
}

/** Returns the conditions that the page has no choice for, with this one choice in them. */
function restWith(rest: StoredFilter, only: Only): StoredFilter {
  const others = Object.fromEntries(
    Object.entries(rest).filter(([name, condition]) => name !== onlyOf(rest) || !isTrue(condition)),
  )
  return only === 'any' ? others : { ...others, [only]: { eq: true } }
}

/** The order that the page has a word for; `own` for others. */
function orderOf(terms: readonly Record<string, unknown>[], { conditions }: Parts): Order | 'own' {
  const [first, ...others] = terms
  if (!first) return conditions.state === 'closed' ? 'closedAt' : 'lastMessageAt'
  const field = String(first.field) as Order
  const isKnown = DIRECTIONS[field] === String(first.direction).toUpperCase()
  return isKnown && others.length === 0 ? field : 'own'
}
