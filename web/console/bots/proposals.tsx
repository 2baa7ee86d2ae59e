import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Thread, ThreadProposal } from '../../shared/live/thread.js'
import { useCommand } from '../commands/use-command.js'
import { useStore } from '../store/console-store.js'
import { useHeld } from '../use-held.js'
import { AskButton } from './ask-button.js'
import { ProposalCard } from './proposal-card.js'
import { proposedOf } from './proposed.js'
import { useDecisions } from './use-decisions.js'
import { useBotWords, words } from './words.js'

interface ProposalsProps {
  thread: Thread
  box: { current: HTMLTextAreaElement | null }
}

/** Suggestions of bots in the conversation, above the box to answer in, and the button that asks for one; what was refused stays until it is dismissed. */
export function Proposals({ thread, box }: ProposalsProps) {
  const store = useStore()
  const isLoaded = useBotWords()
  const root = useRef<HTMLElement>(null)
  const decisions = useDecisions(thread.conversation.id)
  const pending = new Set(thread.proposals.map(({ id }) => id))
  const ended = [...decisions.refused.values()].filter(
    ({ proposal, fault }) => fault.hasEnded && !pending.has(proposal.id),
  )
  const shown = [...ended.map(({ proposal }) => proposal), ...thread.proposals]
  const isHeld = useHeld(shown.map(({ id }) => id).join(' '), '')
  useFocusKept(root)
  useCommand(
    {
      id: 'suggestion',
      label: words.toFirst,
      icon: 'bot',
      // Once the palette that was asked for it has gone.
      run: () => void requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('button')?.focus()),
    },
    shown.length > 0,
  )
  // Nothing is shown in one language and then in another.
  if (!isLoaded) return null
  return (
    <>
      <Announcement proposals={thread.proposals} />
      <AskButton key={thread.conversation.id} thread={thread} />
      {shown.length > 0 && (
        <section
          ref={root}
          class="proposals"
          aria-label={words.title}
          onKeyDown={(event) => event.key === 'Escape' && box.current?.focus()}
        >
          {shown.map((proposal) => (
            <ProposalCard
              key={proposal.id}
              conversation={thread.conversation.id}
              proposal={proposal}
              box={box}
              fault={decisions.refused.get(proposal.id)?.fault ?? null}
              canDecide={pending.has(proposal.id)}
              isOff={isHeld || decisions.busy.has(proposal.id)}
              approve={() => decisions.approve(proposal)}
              take={() => decisions.take(proposal)}
              reject={() => decisions.reject(proposal)}
              dismiss={() => {
                decisions.forget(proposal.id)
                store.focusOpened()
              }}
            />
          ))}
        </section>
      )}
    </>
  )
}

/** The card that had the focus may go by a colleague's decision: the focus goes to where the conversation is gone on with. */
function useFocusKept(root: { current: HTMLElement | null }): void {
  const store = useStore()
  const hadFocus = root.current?.contains(document.activeElement) ?? false
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body) store.focusOpened()
  })
}

/** Tells a screen reader once of each that comes. The region is there before its words: else they would not be read. */
function Announcement({ proposals }: { proposals: readonly ThreadProposal[] }) {
  const told = useRef(new Set<string>())
  const [said, say] = useState<readonly string[]>([])
  useEffect(() => {
    const news = proposals.filter(({ id }) => !told.current.has(id))
    // What is gone is not found there by whoever looks around.
    if (proposals.length === 0) say([])
    if (news.length === 0) return
    for (const { id } of news) told.current.add(id)
    say(news.map((each) => words.came(each.bot?.displayName ?? words.aBot, proposedOf(each).does)))
  }, [proposals])
  return (
    <div class="vh" role="status">
      {said.map((text, index) => (
        <p key={index}>{text}</p>
      ))}
    </div>
  )
}
