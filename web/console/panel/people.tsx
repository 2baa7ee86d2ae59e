import { words as catalogue } from '../acts/words.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { Avatar } from '../../shared/ui/avatar.js'

/** Colleagues who take part, and how. */
export function People({ thread }: { thread: ThreadFrame }) {
  const words = catalogue.panel
  const { participants } = thread
  if (participants.length === 0) return null
  return (
    <section class="sec">
      <h3>{words.people}</h3>
      <ul class="stack">
        {participants.map(({ userId, name, accepted }) => (
          <li key={userId} class="line">
            <Avatar name={name ?? '?'} of={userId} size="s" />
            <bdi class="cut grow">{name}</bdi>
            <span class="mute t2">{accepted ? words.accepted : words.looksOn}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
