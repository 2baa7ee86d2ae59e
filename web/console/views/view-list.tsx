import { useEffect } from 'preact/hooks'
import { timeOfDay } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { listPath, type AnyList } from '../route.js'
import { useStore } from '../store/console-store.js'
import { partsOf } from './saved-filter.js'
import { savedViewsOf, type SavedView } from './saved-views.js'
import { saved } from './saved-words.js'
import { countText, useFixedCounts } from './use-fixed-counts.js'
import { words } from './words.js'
import { VIEWS, type ViewName } from './view-name.js'

/** Counts older than this say so: three rounds were missed, or there are too many to count all in one. */
const OLD_MS = 30_000

const ICONS: Readonly<Record<ViewName, string>> = {
  open: 'queue',
  waiting: 'clock',
  active: 'mine',
  snoozed: 'snooze',
  undelivered: 'alert',
  closed: 'check',
}

/** The fixed views, one's own and the shared ones, each with its count. */
export function ViewList({ list, add }: { list: AnyList; add(): void }) {
  const store = useStore()
  const known = savedViewsOf(store)
  const fixedCount = useFixedCounts()
  useEffect(() => known.watch(), [known])
  const views = known.views.value
  const counts = known.counts.value
  const isFailed = known.isFailed.value
  const own = views?.filter(({ ownerId }) => ownerId !== null) ?? []
  const shared = views?.filter(({ ownerId }) => ownerId === null) ?? []
  const ages = (views ?? []).flatMap(({ id }) => counts.get(id)?.at ?? [])
  const oldest = ages.length > 0 ? Math.min(...ages) : null
  const isOld = oldest !== null && (isFailed || store.now.value - oldest > OLD_MS)
  const entry = (view: SavedView) => {
    const counted = counts.get(view.id)
    return (
      <Entry
        key={view.id}
        to={`v/${view.id}`}
        name={view.name}
        isCurrent={list === `v/${view.id}`}
        count={counted ? countText(counted) : ''}
        hue={store.organization.labels.value.get(partsOf(view.filter).conditions.label)?.hue}
      />
    )
  }
  return (
    <>
      <h2>{saved.team}</h2>
      <ul>
        {VIEWS.map((view) => (
          <Entry
            key={view}
            to={view}
            name={words.names[view]}
            icon={ICONS[view]}
            isCurrent={list === view}
            count={fixedCount(view)}
          />
        ))}
      </ul>
      <h2>
        {saved.own}
        <button class="btn ghost icon small" aria-label={saved.add} onClick={add}>
          <Icon name="plus" size="s" />
        </button>
      </h2>
      {own.length > 0 && <ul>{own.map(entry)}</ul>}
      {views !== null && own.length === 0 && <p class="hint">{saved.none}</p>}
      {views === null && isFailed && (
        <p class="hint" role="alert">
          {saved.notLoaded}{' '}
          <button class="link" onClick={() => void known.refresh()}>
            {t().retry}
          </button>
        </p>
      )}
      {shared.length > 0 && (
        <>
          <h2>{saved.shared}</h2>
          <ul>{shared.map(entry)}</ul>
        </>
      )}
      {isOld && <p class="hint">{saved.asOf(timeOfDay(oldest))}</p>}
    </>
  )
}

interface EntryProps {
  to: AnyList
  name: string
  isCurrent: boolean
  count: string
  icon?: string
  hue?: number | undefined
}

/** The count stands beside the link and describes it, so that the link keeps its name. */
function Entry({ to, name, isCurrent, count, icon = 'star', hue }: EntryProps) {
  const id = `count-${to}`
  return (
    <li>
      <a href={listPath(to)} aria-current={isCurrent ? 'page' : undefined} aria-describedby={count ? id : undefined}>
        {hue === undefined ? <Icon name={icon} /> : <i class="hue" style={`--hue:${hue}`} />}
        <bdi class="cut">{name}</bdi>
      </a>
      <span id={id}>{count}</span>
    </li>
  )
}
