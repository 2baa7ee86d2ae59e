import { BlockedErasuresDocument } from '../../../generated/data-kept.js'
import { Icon } from '../../../shared/ui/icon.js'
import { useQuery } from '../use-query.js'
import { words } from './words.js'

/** Says how many erasures wait, and for the release of which holds: who asked for one has to be told. */
export function Blocked() {
  const { data } = useQuery(BlockedErasuresDocument, {})
  const { totalCount = 0, nodes = [] } = data?.contactErasures ?? {}
  if (totalCount === 0) return null
  const holds = Map.groupBy(
    nodes.flatMap(({ blockedBy }) => blockedBy),
    ({ id }) => id,
  )
  return (
    <p class="band warn">
      <Icon name="lock" />
      <span>
        {words.kept.blocked(totalCount)}{' '}
        <bdi>{[...holds.values()].map((each) => `${each[0]!.name} (${each.length})`).join(', ')}</bdi>
      </span>
    </p>
  )
}
