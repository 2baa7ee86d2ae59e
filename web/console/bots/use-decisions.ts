import { useEffect, useRef, useState } from 'preact/hooks'
import { ApproveProposalDocument, RejectProposalDocument, TakeProposalDocument } from '../../generated/bots.js'
import type { ThreadProposal } from '../../shared/live/thread.js'
import { useStore } from '../store/console-store.js'
import { decisionFault, type DecisionFault } from './decision-fault.js'

interface Refused {
  proposal: ThreadProposal
  fault: DecisionFault
}

export interface Decisions {
  /** Proposals on which this tab decides at the moment. */
  busy: ReadonlySet<string>
  /** Refusals of the last decision on each. What has ended by now stays with its refusal until it is forgotten. */
  refused: ReadonlyMap<string, Refused>
  approve(proposal: ThreadProposal): void
  /** Sets or merges what is suggested, as whoever decides. */
  take(proposal: ThreadProposal): void
  reject(proposal: ThreadProposal): void
  forget(id: string): void
}

/** The decisions of this tab. They outlive the cards: a colleague's decision may take a card away before the answer comes. */
export function useDecisions(conversation: string): Decisions {
  const store = useStore()
  const isShown = useRef(true)
  useEffect(() => () => void (isShown.current = false), [])
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<ReadonlyMap<string, Refused>>(new Map())
  const forget = (id: string): void => setRefused((before) => new Map([...before].filter(([each]) => each !== id)))
  const decide = (proposal: ThreadProposal, decision: Promise<unknown>): void => {
    const { id } = proposal
    forget(id)
    setBusy((before) => new Set(before).add(id))
    // At once: with the answer, the card is gone.
    store.focusOpened()
    decision
      .catch((error: Error) => {
        const fault = decisionFault(error)
        // Whoever looks at another conversation by now finds it above this one.
        if (!isShown.current) return store.acts.say(conversation, fault.text)
        setRefused((before) => new Map(before).set(id, { proposal, fault }))
      })
      .finally(() => setBusy((before) => new Set([...before].filter((each) => each !== id))))
  }
  return {
    busy,
    refused,
    approve: (proposal) =>
      decide(proposal, store.request(ApproveProposalDocument, { proposal: proposal.id, hash: proposal.hash })),
    take: (proposal) => decide(proposal, store.request(TakeProposalDocument, { proposal: proposal.id })),
    reject: (proposal) => decide(proposal, store.request(RejectProposalDocument, { proposal: proposal.id })),
    forget,
  }
}
