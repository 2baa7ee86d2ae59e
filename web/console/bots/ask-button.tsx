import { useEffect, useState } from 'preact/hooks'
import { Refused } from '@switchboard/client'
import { CanRequestProposalDocument, RequestProposalDocument } from '../../generated/bots.js'
import type { Thread } from '../../shared/live/thread.js'
import { Icon } from '../../shared/ui/icon.js'
import { useCommand } from '../commands/use-command.js'
import { useStore } from '../store/console-store.js'
import { words } from './words.js'

/** State of a request: what came of the last one is said until the next. */
type Asked = { is: 'idle' } | { is: 'waiting'; known: ReadonlySet<string> } | { is: 'told'; text: string }

/** Asks the bots that listen for an answer; not shown where none does. */
export function AskButton({ thread: { conversation, proposals } }: { thread: Thread }) {
  const store = useStore()
  const isHeard = useIsHeard(conversation.id)
  const [asked, setAsked] = useState<Asked>({ is: 'idle' })
  const isOffline = store.live.connection.value.is === 'offline'
  const isOff = asked.is === 'waiting' || isOffline
  const ask = (): void => {
    if (isOff) return
    setAsked({ is: 'waiting', known: new Set(proposals.map(({ id }) => id)) })
    store
      .request(RequestProposalDocument, { conversation: conversation.id, kind: 'REPLY' })
      .catch((error: Error) => setAsked({ is: 'told', text: refusalOf(error) }))
  }
  useEffect(() => {
    if (asked.is !== 'waiting') return
    if (proposals.some(({ id }) => !asked.known.has(id))) return setAsked({ is: 'idle' })
    const timer = setTimeout(() => setAsked({ is: 'told', text: words.noneCame }), WAIT_MS)
    return () => clearTimeout(timer)
  }, [asked, proposals])
  const isShown = isHeard && conversation.status !== 'ARCHIVED'
  useCommand({ id: 'ask-bots', label: words.ask, icon: 'bot', run: ask }, isShown)
  if (!isShown) return null
  return (
    <div class="line ask">
      <button type="button" class="btn ghost small" aria-disabled={isOff} onClick={ask}>
        <Icon name="bot" size="s" />
        {asked.is === 'waiting' ? words.asked : words.ask}
      </button>
      <span class="mute t2 grow" role="status">
        {asked.is === 'told' ? asked.text : ''}
      </span>
    </div>
  )
}

/** Asks once, as the conversation is opened: bots that listen seldom change, and a request to nobody is refused. */
function useIsHeard(conversation: string): boolean {
  const store = useStore()
  const [isHeard, set] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    store.request(CanRequestProposalDocument, { conversation }, stop.signal).then(
      ({ canRequestProposal }) => set(canRequestProposal),
      () => undefined,
    )
    return () => stop.abort()
  }, [store, conversation])
  return isHeard
}

/** As long as bots are told that a screen waits; whatever comes later is shown all the same. */
const WAIT_MS = 10_000

function refusalOf(error: Error): string {
  if (!(error instanceof Refused)) return words.noAnswerToAsk
  if (error.reason === 'NOBODY_LISTENS') return words.nobodyListens
  return error.code === 'RATE_LIMITED' ? words.askedTooOften : words.failed(error.message)
}
