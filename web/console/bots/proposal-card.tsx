import { useId, useState } from 'preact/hooks'
import { dayTime } from '../../shared/i18n/format.js'
import type { ThreadProposal } from '../../shared/live/thread.js'
import { RichContent } from '../thread/rich-content.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { ProvenanceLine } from '../thread/provenance-line.js'
import { ArticleSuggestion } from './article-suggestion.js'
import type { DecisionFault } from './decision-fault.js'
import { proposedOf, type Proposed } from './proposed.js'
import { takeInto, type NotTaken } from './take.js'
import { words } from './words.js'

interface CardProps {
  conversation: string
  proposal: ThreadProposal
  box: { current: HTMLTextAreaElement | null }
  /** Refusal of the last decision. */
  fault: DecisionFault | null
  canDecide: boolean
  /** Clicks do not count: one is on its way, or the cards have just moved. */
  isOff: boolean
  approve(): void
  take(): void
  reject(): void
  dismiss(): void
}

/** Kinds that a person does by one click; all else that has content is approved, and then the bot does it. */
const SETTINGS: ReadonlySet<ThreadProposal['kind']> = new Set<ThreadProposal['kind']>(['CATEGORY', 'FIELDS', 'MERGE'])

/** One suggestion: whose it is, the whole of what would be done, and the decision on it. */
export function ProposalCard({
  conversation,
  proposal,
  box,
  fault,
  canDecide: isPending,
  dismiss,
  ...given
}: CardProps) {
  const store = useStore()
  const title = useId()
  const proposed = proposedOf(proposal)
  const isOffline = store.live.connection.value.is === 'offline'
  const canDecide = isPending && !fault?.hasEnded
  const isOff = given.isOff || isOffline
  const taken = { conversation, proposal: proposal.id, box }
  const isSetting = SETTINGS.has(proposal.kind)
  const decide = (): void => {
    if (!isOff) (isSetting ? given.take : given.approve)()
  }
  const reject = (): void => {
    if (!isOff) given.reject()
  }
  return (
    <article class="proposal" aria-labelledby={title}>
      <p class="line" id={title}>
        <Icon name="bot" size="s" />
        <bdi class="b grow">{words.came(proposal.bot?.displayName ?? words.aBot, proposed.does)}</bdi>
        {canDecide && <span class="mute t2">{words.until(dayTime(proposal.expiresAt, store.now.value))}</span>}
      </p>
      {proposal.kind === 'ARTICLE' ? (
        <ArticleSuggestion id={proposal.articleId!} take={(text) => <Take {...taken} text={text} isNote={false} />} />
      ) : (
        <Whole proposed={proposed} />
      )}
      <ErrorHint text={fault?.text} />
      {canDecide && isOffline && <p class="hint">{words.offline}</p>}
      <div class="line">
        {canDecide ? (
          <>
            {proposal.kind !== 'ARTICLE' && (
              <button type="button" class="btn small" aria-disabled={isOff} aria-describedby={title} onClick={decide}>
                <Icon name="check" size="s" />
                {isSetting ? words.doIt : words.approve}
              </button>
            )}
            <button
              type="button"
              class="btn ghost small"
              aria-disabled={isOff}
              aria-describedby={title}
              onClick={reject}
            >
              {words.reject}
            </button>
          </>
        ) : (
          <button type="button" class="btn small" onClick={dismiss}>
            {words.dismiss}
          </button>
        )}
        {proposed.text !== null && <Take {...taken} text={proposed.text} isNote={proposed.isNote} />}
      </div>
    </article>
  )
}

/** All that would be sent: a message as the log would show it, a command as it is, and what neither of them shows. */
function Whole({ proposed: { message, command, isNote, provenance, rest } }: { proposed: Proposed }) {
  return (
    <div class="whole" data-kind={isNote ? 'note' : undefined}>
      {message && <RichContent message={message} isNote={isNote} />}
      {command && (
        <p>
          <code class="code">{command}</code>
        </p>
      )}
      <ProvenanceLine message={{ provenance }} />
      {rest && (
        <p class="t2">
          {words.also} <code class="code">{rest}</code>
        </p>
      )}
    </div>
  )
}

/** Puts the text into the box, where nothing that is typed is lost. */
function Take({
  conversation,
  proposal,
  box,
  text,
  isNote,
}: Pick<CardProps, 'conversation' | 'box'> & { proposal: string; text: string; isNote: boolean }) {
  const store = useStore()
  const [refused, refuse] = useState<NotTaken | null>(null)
  const taken = { conversation, proposal, text, isNote }
  const take = (isBelow: boolean): void => {
    if (box.current) refuse(takeInto(box.current, store, { ...taken, isBelow }))
  }
  return (
    <>
      <button type="button" class="btn ghost small" onClick={() => take(refused === 'hasText')}>
        <Icon name="edit" size="s" />
        {refused === 'hasText' ? words.addBelow : words.take}
      </button>
      {refused && (
        <p class="hint grow" role="alert">
          {words[refused]}
        </p>
      )}
    </>
  )
}
