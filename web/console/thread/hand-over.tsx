import { useState } from 'preact/hooks'
import { ColleaguesDocument, HandOverDocument, type ColleaguesQuery } from '../../generated/beside.js'
import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { useQuery } from '../admin/use-query.js'
import { useStore, type ConsoleStore } from '../store/console-store.js'
import { RequestDialog } from '../request-dialog.js'

type Agent = ColleaguesQuery['agentStates'][number]

/** In this order; within each, most room first. */
const STANDINGS = [
  'AVAILABLE',
  'FULL',
  'WRAPPING_UP',
  'PAUSED',
  'NOT_ANSWERING',
  'NOT_WORKING',
  'SIGNED_OUT',
] as const satisfies Agent['standing'][]

interface Group {
  label: string
  people: { id: string; displayName: string }[]
}

/** Colleagues and bots by how they stand; until that is known, all colleagues. */
function groupsOf(agents: readonly Agent[], { organization, user }: ConsoleStore): Group[] {
  const words = t()
  if (agents.length === 0) return [{ label: words.thread.colleagues, people: organization.colleagues.value }]
  const room = ({ capacity, load }: Agent): number => capacity - load
  return STANDINGS.map((standing) => ({
    label: words.staffing.standings[standing],
    people: agents
      .filter((each) => each.standing === standing && each.userId !== user && each.user)
      .toSorted((a, b) => room(b) - room(a) || a.user!.displayName.localeCompare(b.user!.displayName))
      .map(({ userId, user: named }) => ({ id: userId, displayName: named!.displayName })),
  })).filter(({ people }) => people.length > 0)
}

/** Counts those that wait in a channel of which this agent sees the queue. */
function waitingIn({ lists }: ConsoleStore, channel: string): number {
  return [...(lists.queue.state.value?.values() ?? [])].filter((row) => row.channel === channel).length
}

/** To a colleague, who has it at once, or back to the queue of a channel; with a note. */
export function HandOver({ thread, close }: { thread: ThreadFrame; close(): void }) {
  useActWords()
  const store = useStore()
  const words = t()
  const [to, setTo] = useState('')
  const [note, setNote] = useState('')
  const [evenIfAway, setEvenIfAway] = useState(false)
  const { data } = useQuery(ColleaguesDocument, {})
  const groups = groupsOf(data?.agentStates ?? [], store)
  const chosen = data?.agentStates.find(({ userId }) => to === `user ${userId}`)
  const channels = store.organization.channels.value ?? []

  const submit = (): Promise<unknown> => {
    const [kind, id] = to.split(' ')
    const target = kind === 'user' ? { user: id, evenIfAway } : { channel: id }
    const input = { conversation: thread.conversation.id, ...target, note: note.trim() || null }
    return store.request(HandOverDocument, input)
  }
  return (
    <RequestDialog
      title={words.thread.handOver}
      icon="hand"
      tone="primary"
      isReady={to !== ''}
      submit={submit}
      close={close}
    >
      <div class="field">
        <label for="hand-over-to">{catalogue.handOver.handOverTo}</label>
        <select
          class="in"
          id="hand-over-to"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
          required
          autofocus
        >
          <option value="" />
          {groups.map(({ label, people }) => (
            <optgroup key={label} label={label}>
              {people.map(({ id, displayName }) => (
                <option key={id} value={`user ${id}`}>
                  {displayName}
                </option>
              ))}
            </optgroup>
          ))}
          <optgroup label={words.thread.channels}>
            {channels.map(({ id, name }) => (
              <option key={id} value={`channel ${id}`}>
                {name}
              </option>
            ))}
          </optgroup>
        </select>
        <p class="hint" aria-live="polite">
          {chosen
            ? words.staffing.standsWith(words.staffing.standings[chosen.standing], chosen.load, chosen.capacity)
            : to.startsWith('channel ')
              ? words.list.waitingCount(waitingIn(store, to.slice('channel '.length)))
              : catalogue.handOver.handOverHelp}
        </p>
        {to.startsWith('user ') && (
          <label class="check">
            <input
              type="checkbox"
              checked={evenIfAway}
              onChange={(event) => setEvenIfAway(event.currentTarget.checked)}
            />
            {catalogue.handOver.handOverEvenIfAway}
          </label>
        )}
      </div>
      <div class="field">
        <label for="hand-over-note">{catalogue.handOver.handOverNote}</label>
        <textarea
          class="in"
          id="hand-over-note"
          rows={3}
          dir="auto"
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </div>
    </RequestDialog>
  )
}
