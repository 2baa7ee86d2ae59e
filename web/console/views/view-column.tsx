import { useEffect } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { navigate } from '../../shared/router.js'
import { Lazy } from '../lazy.js'
import { isSaved, listPath, type SavedName } from '../route.js'
import { ColumnFrame } from './column-frame.js'
import { FilterBar } from './filter-bar.js'
import { askedFor, filters, NO_FILTERS } from './filters.js'
import { SaveButton } from './save-button.js'
import { useFixedCounts } from './use-fixed-counts.js'
import { useRows } from './use-rows.js'
import { useViewWords, words } from './words.js'
import type { ViewName } from './view-name.js'

interface ViewColumnProps {
  list: ViewName | SavedName
  selected: string | null
}

/** A view of conversations, whoever has them: by pages, and asked for again while it is shown. */
export default function ViewColumn({ list, selected }: ViewColumnProps) {
  return isSaved(list) ? (
    <Lazy key="saved" load={() => import('./saved-column.js')} props={{ list, selected }} />
  ) : (
    <FixedColumn view={list} selected={selected} />
  )
}

function FixedColumn({ view, selected }: { view: ViewName; selected: string | null }) {
  useViewWords()
  const title = words.names[view]
  useEffect(() => {
    document.title = `${title} · ${t().app}`
  }, [title, selected])
  const shown = useRows(askedFor(view, filters.value))
  const countOf = useFixedCounts()
  const isNarrowed = Object.values(filters.value).some(Boolean)
  return (
    <ColumnFrame
      list={view}
      title={title}
      count={isNarrowed ? '' : countOf(view)}
      acts={<SaveButton conditions={{ ...filters.value, state: view }} />}
      shown={shown}
      selected={selected}
      clear={isNarrowed ? () => (filters.value = NO_FILTERS) : undefined}
    >
      <FilterBar
        conditions={{ ...filters.value, state: view }}
        change={({ state, ...others }) => {
          filters.value = others
          if (state) navigate(listPath(state))
        }}
        countOf={countOf}
      />
    </ColumnFrame>
  )
}
