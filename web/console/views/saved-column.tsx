import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { SavedViewGapsDocument } from '../../generated/saved-views.js'
import { t } from '../../shared/i18n/messages.js'
import { navigate } from '../../shared/router.js'
import { Icon } from '../../shared/ui/icon.js'
import { useQuery } from '../admin/use-query.js'
import { ViewsButton } from '../lists/views-button.js'
import { listPath, type SavedName } from '../route.js'
import { useStore } from '../store/console-store.js'
import { useShown } from '../use-shown.js'
import { ColumnFrame } from './column-frame.js'
import { DeleteView } from './delete-view.js'
import { describeFilter, describeGap, describeRest } from './describe.js'
import { FilterBar } from './filter-bar.js'
import { BY_MESSAGE, type Asked, type Conditions } from './filters.js'
import { saveFault } from './save-fault.js'
import SaveView from './save-view.js'
import { filterWith, isSameChoice, partsOf, withoutGaps } from './saved-filter.js'
import { savedViewsOf, type SavedView } from './saved-views.js'
import { saved, useSavedWords } from './saved-words.js'
import { countText } from './use-fixed-counts.js'
import { useMayShare } from './use-may-share.js'
import { useRows } from './use-rows.js'
import { useViewWords, words } from './words.js'

/** A saved view. One that is deleted while it is shown stays on the screen, and says so. */
export default function SavedColumn({ list, selected }: { list: SavedName; selected: string | null }) {
  useViewWords()
  useSavedWords()
  const known = savedViewsOf(useStore())
  const id = list.slice('v/'.length).toLowerCase()
  const last = useRef<SavedView | null>(null)
  const [asked, setAsked] = useState('')
  useEffect(() => known.watch(), [known])
  useEffect(() => {
    let isWanted = true
    // It may have been saved a moment ago, in another tab.
    void known.refresh().then(() => isWanted && setAsked(id))
    return () => void (isWanted = false)
  }, [known, id])
  const found = known.views.value?.find((view) => view.id === id)
  if (found) last.current = found
  else if (last.current?.id !== id) last.current = null
  const view = last.current
  if (view) return <Shown key={id} list={list} view={view} isGone={!found} selected={selected} />
  // What could not be asked for may be there all the same.
  const isFailed = known.isFailed.value
  const isUnknown = asked === id && known.views.value !== null && !isFailed
  return <Absent isUnknown={isUnknown} isFailed={isFailed} selected={selected} />
}

interface AbsentProps {
  isUnknown: boolean
  isFailed: boolean
  selected: string | null
}

function Absent({ isUnknown, isFailed, selected }: AbsentProps) {
  const known = savedViewsOf(useStore())
  const Column = selected === null ? 'main' : 'section'
  const title = isUnknown ? saved.unknown : t().views.title
  useEffect(() => {
    document.title = `${title} · ${t().app}`
  }, [title, selected])
  return (
    <Column
      class="col list-col"
      aria-label={title}
      aria-busy={!isUnknown && !isFailed}
      {...(selected === null && { id: 'main', tabIndex: -1 })}
    >
      <div class="head">
        <ViewsButton />
        <h1>{title}</h1>
      </div>
      {isUnknown && (
        <div class="sec stack">
          <p class="mid">{saved.unknownHelp}</p>
          <p>
            <a href={listPath('open')}>{saved.toOpen}</a>
          </p>
        </div>
      )}
      {isFailed && (
        <p class="band bad" role="alert">
          <Icon name="alert" />
          {saved.notLoaded}
          <button class="btn small push" onClick={() => void known.refresh()}>
            {t().retry}
          </button>
        </p>
      )}
    </Column>
  )
}

interface ShownProps {
  list: SavedName
  view: SavedView
  isGone: boolean
  selected: string | null
}

function Shown({ list, view, isGone, selected }: ShownProps) {
  const store = useStore()
  const known = savedViewsOf(store)
  const { id, name, version, ownerId, filter, orderBy } = view
  const parts = useMemo(() => partsOf(filter), [version])
  /** Other filters than those that are saved, and the version to which they were chosen. */
  const [draft, setDraft] = useState<{ conditions: Conditions; version: number } | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [dialog, show, close] = useShown<'edit' | 'delete' | 'copy' | 'mend'>()
  const mayChange = useMayShare() || ownerId !== null
  const isChanged = draft !== null && !isSameChoice(draft.conditions, parts.conditions)
  const conditions = isChanged ? draft.conditions : parts.conditions
  const asked: Asked = {
    filter: isChanged ? filterWith({ conditions, rest: parts.rest }) : filter,
    orderBy: orderBy.length > 0 ? (orderBy as unknown as Asked['orderBy']) : [...BY_MESSAGE],
  }
  const shown = useRows(asked)
  const looked = useQuery(SavedViewGapsDocument, { id })
  const gaps = looked.data?.view?.gaps ?? []
  const counted = isChanged ? undefined : known.counts.value.get(id)
  const acts = known.acts.value
  useEffect(() => {
    if (acts > 0) shown.refresh()
  }, [acts])
  useEffect(looked.refresh, [version])
  // Else what equals the view now would be a change over what a colleague saves of it later.
  useEffect(() => {
    if (draft && !isChanged) setDraft(null)
  }, [draft, isChanged])
  useEffect(() => {
    document.title = `${name} · ${t().app}`
  }, [name, selected])

  const choose = (next: Conditions): void => {
    setFault(null)
    setDraft((last) => ({ conditions: next, version: last?.version ?? version }))
  }
  const reset = (): void => {
    setFault(null)
    setDraft(null)
  }
  const save = (): void => {
    if (isBusy) return
    if (store.live.connection.peek().is === 'offline') return setFault(saved.faults.offline)
    setBusy(true)
    setFault(null)
    const sent = draft!
    known
      .save({ id, input: { filter: asked.filter, ifVersion: sent.version } })
      // What was chosen meanwhile stays, over what is saved now.
      .then(
        (now) => setDraft((last) => (last && last !== sent ? { ...last, version: now.version } : null)),
        async (error: Error) => {
          setFault(saveFault(error, ownerId === null))
          await known.refresh()
          // What was chosen stays, over what a colleague has saved by now.
          const now = known.views.peek()?.find((each) => each.id === id)
          setDraft((last) => last && { ...last, version: now?.version ?? last.version })
        },
      )
      .finally(() => setBusy(false))
  }
  const also = describeRest(store, parts.rest)
  const mended = dialog === 'mend' ? withoutGaps(filter, gaps) : filter
  const left = gaps.length > 0 ? describeFilter(store, withoutGaps(filter, gaps)) : []
  const isNarrowed = isChanged && Object.entries(conditions).some(([field, value]) => value && field !== 'state')
  return (
    <ColumnFrame
      list={list}
      title={name}
      count={counted ? countText(counted) : ''}
      acts={
        !isGone &&
        (mayChange ? (
          <>
            <button class="btn ghost icon" aria-label={saved.edit} title={saved.edit} onClick={() => show('edit')}>
              <Icon name="edit" />
            </button>
            <button
              class="btn ghost icon"
              aria-label={saved.remove}
              title={saved.remove}
              onClick={() => show('delete')}
            >
              <Icon name="trash" />
            </button>
          </>
        ) : (
          <button class="btn ghost icon" aria-label={saved.saveAs} title={saved.saveAs} onClick={() => show('copy')}>
            <Icon name="star" />
          </button>
        ))
      }
      shown={shown}
      selected={selected}
      clear={isNarrowed ? reset : undefined}
    >
      <FilterBar
        conditions={conditions}
        change={choose}
        hasAny
        nameOf={(_, value) => gaps.find((gap) => gap.id === value)?.name ?? words.unknown}
      >
        {also.length > 0 && (
          <p class="hint">
            {saved.also}: <bdi>{also.join(' · ')}</bdi>
          </p>
        )}
      </FilterBar>
      {isGone && dialog !== 'delete' && (
        <p class="band warn" role="alert">
          <Icon name="trash" />
          <span class="grow">{saved.gone}</span>
          <button class="btn small" onClick={() => show('copy')}>
            {saved.keep}
          </button>
        </p>
      )}
      {isChanged && !isGone && (
        <p class="band" role={fault ? 'alert' : 'status'}>
          <span class="grow">{fault ?? saved.changed}</span>
          <button class="btn small" onClick={reset}>
            {saved.reset}
          </button>
          {mayChange ? (
            <button class="btn small primary" aria-disabled={isBusy} onClick={save}>
              {saved.saveChanges}
            </button>
          ) : (
            <button class="btn small primary" onClick={() => show('copy')}>
              {saved.saveAs}
            </button>
          )}
        </p>
      )}
      {gaps.length > 0 && !isGone && (
        <div class="band warn" role="status">
          <Icon name="alert" />
          <span class="grow">
            {saved.gaps} {gaps.map(describeGap).join(', ')}.{' '}
            {left.length > 0 ? saved.left(left.join(' · ')) : saved.leftNone}
          </span>
          {mayChange && (
            <div class="line">
              <button class="btn small" onClick={() => show('mend')}>
                {saved.mend}
              </button>
              <button class="btn small" onClick={() => show('delete')}>
                {saved.remove}
              </button>
            </div>
          )}
        </div>
      )}
      {dialog === 'delete' && (
        <DeleteView
          view={view}
          close={(isDone) => {
            close()
            if (isDone) navigate(listPath('open'))
          }}
        />
      )}
      {dialog && dialog !== 'delete' && (
        <SaveView
          view={dialog === 'copy' ? null : view}
          parts={dialog === 'mend' ? partsOf(mended) : { conditions, rest: parts.rest }}
          like={{ name, orderBy }}
          gaps={dialog === 'mend' ? gaps : []}
          close={(isSaved) => {
            close()
            if (isSaved) reset()
          }}
        />
      )}
    </ColumnFrame>
  )
}
