import { useEffect, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { timeOfDay } from '../../shared/i18n/format.js'
import type { Outgoing } from '../../shared/outbox/outgoing.js'
import { Icon } from '../../shared/ui/icon.js'
import { useCommand } from '../commands/use-command.js'
import { headOf } from '../composer/mail-head.js'
import { useStore } from '../store/console-store.js'

interface PendingProps {
  outgoing: Outgoing
  place: number
  of: number
  /** This one, or one before it, got no answer. */
  isLate: boolean
}

/**
 * The messages of a conversation that are not among its own yet: a message's event may come before the answer to sending it,
 * and the conversation after what was sent to it.
 */
export function PendingList({ id, messages }: { id: string; messages: readonly { id: string }[] }) {
  const ids = new Set(messages.map((message) => message.id))
  const rows = useStore().writing.outbox.value?.rows.value ?? []
  const pending = rows.filter((row) => row.conversation === id && !ids.has(row.id))
  const isLate = pending.some((row) => row.isLate === true)
  return (
    <>
      {pending.map((outgoing, index) => (
        <Pending key={outgoing.id} outgoing={outgoing} place={index + 1} of={pending.length} isLate={isLate} />
      ))}
    </>
  )
}

/** A message that the server has not taken yet. What it says of itself is all that is known. */
function Pending({ outgoing, place, of, isLate }: PendingProps) {
  const store = useStore()
  const words = t().delivery
  const outbox = store.writing.outbox.value!
  const { id, message, at, refusal, isTried, conversation } = outgoing
  const isNote = message.isBackchannel === true
  const isOffline = store.live.connection.value.is !== 'live'
  const restMs = useRest(outgoing)
  // Without a connection nothing is taken back from the server; what it has not got yet is edited.
  const canUndo = restMs > 0 && !isOffline
  const [fault, setFault] = useState<string | null>(null)
  const state = canUndo
    ? words.sendsIn(Math.ceil(restMs / 1_000))
    : refusal
      ? `${words.refused}: ${refusal}`
      : isOffline || isLate
        ? words.waits(place, of)
        : words.sending
  const takeBack = async (isEdit: boolean): Promise<void> => {
    setFault(null)
    const taken = await outbox.takeBack(id).catch((error: Error) => {
      setFault(error.message)
      return null
    })
    if (taken?.message.text && isEdit)
      await store.writing.drafts.peek()?.giveBack(conversation, taken.message.text, isNote, {
        mail: headOf(taken.message),
        proposal: taken.message.proposal ?? undefined,
      })
  }
  useCommand(
    {
      id: `undo ${id}`,
      label: words.undo,
      icon: 'undo',
      key: 'alt u',
      zone: 'anywhere',
      run: () => void takeBack(true),
    },
    canUndo,
  )
  const body = (
    <>
      {isNote ? (
        <p dir="auto">{message.text}</p>
      ) : (
        <div class="bub waits" dir="auto">
          {message.text}
        </div>
      )}
      <p class="sent">
        <Icon name={refusal ? 'alert' : 'clock'} size="s" />
        <span>{state}</span>
        {fault && (
          <span class="bad" role="alert">
            {fault}
          </span>
        )}
        {refusal && (
          <button class="link" onClick={() => void outbox.sendAgain(id)}>
            {words.sendAgain}
          </button>
        )}
        {canUndo && (
          <button class="link" onClick={() => void takeBack(true)}>
            {words.undo}
          </button>
        )}
        {!canUndo && (refusal || !isTried) && (
          <>
            <button class="link" onClick={() => void takeBack(true)}>
              {words.edit}
            </button>
            <button class="link" onClick={() => void takeBack(false)}>
              {words.takeBack}
            </button>
          </>
        )}
      </p>
    </>
  )
  const who = (
    <p class="who">
      {isNote && <Icon name="lock" size="s" />}
      <b>
        <bdi>{store.organization.me.value?.displayName}</bdi>
      </b>
      <span>
        {timeOfDay(at)}
        {isNote && ` · ${t().thread.note}`}
      </span>
    </p>
  )
  if (isNote)
    return (
      <div class="notebox">
        {who}
        {body}
      </div>
    )
  return (
    <div class="turn us">
      <div class="body">
        {who}
        {body}
      </div>
    </div>
  )
}

/** Counts down the seconds during which a message can be withdrawn. */
function useRest({ undoMs = 0, at, takenAt = at }: Outgoing): number {
  const [now, setNow] = useState(Date.now())
  // The server may take it later than this was last drawn.
  const restMs = Math.min(undoMs, takenAt + undoMs - now)
  useEffect(() => {
    if (restMs <= 0) return
    const timer = setTimeout(() => setNow(Date.now()), Math.min(restMs, 1_000))
    return () => clearTimeout(timer)
  }, [restMs])
  return Math.max(0, restMs)
}
