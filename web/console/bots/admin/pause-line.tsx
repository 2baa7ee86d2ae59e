import type { BotPauseFragment } from '../../../generated/bots-admin.js'
import { dayTime } from '../../../shared/i18n/format.js'
import { useStore } from '../../store/console-store.js'
import { words } from './words.js'

/** Says who paused it, and since when. */
export function PauseLine({
  pause: { at, by, organizationId },
  nameOf,
}: {
  pause: BotPauseFragment
  nameOf(organization: string): string
}) {
  const store = useStore()
  const [name, time] = [by?.displayName ?? words.somebody, dayTime(at, store.now.value)]
  return (
    <p>
      <bdi>
        {organizationId === null
          ? words.pausedBy(name, time)
          : words.allPausedBy(nameOf(organizationId) || words.anOrganization, name, time)}
      </bdi>
    </p>
  )
}
