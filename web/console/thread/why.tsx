import { useEffect, useState } from 'preact/hooks'
import { WhyDocument, type WhyQuery } from '../../generated/beside.js'
import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { timeOfDay } from '../../shared/i18n/format.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { Icon } from '../../shared/ui/icon.js'
import { Conditions } from '../rules/conditions.js'
import { treeOf } from '../rules/trace-tree.js'
import { useStore } from '../store/console-store.js'

type Trace = NonNullable<WhyQuery['conversation']>['routingTrace'][number]
type Entry = Trace['entries'][number]

const MARKS = {
  FIRED: ['check', 'good'],
  NOT_MATCHED: ['x', 'mute'],
  DEFERRED: ['clock', 'mute'],
  SKIPPED: ['right', 'mute'],
} as const

/** Facts that the rules saw and their decisions, each time it was queued, as it was stored then. */
export function Why({ conversation, close }: { conversation: string; close(): void }) {
  useActWords()
  const store = useStore()
  const [traces, setTraces] = useState<readonly Trace[] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    store.request(WhyDocument, { conversation }, stop.signal).then(
      (answer) => setTraces(answer.conversation?.routingTrace ?? []),
      (error: Error) => stop.signal.aborted || setFault(error.message),
    )
    return () => stop.abort()
  }, [conversation])
  return (
    <Dialog title={catalogue.beside.whyTitle} icon="route" close={close}>
      <ErrorHint text={fault} />
      {traces?.length === 0 && <p class="mid">{catalogue.beside.whyNone}</p>}
      {traces?.map((trace) => (
        <section key={trace.id} class="stack">
          <h3 class="mute t2">
            {catalogue.beside.whyQueueing(trace.queueing, timeOfDay(trace.createdAt))} · {trace.trigger}
          </h3>
          <ol class="steps">
            {trace.entries.map((entry, index) => (
              <Step key={index} entry={entry} />
            ))}
          </ol>
          <Offered trace={trace} />
        </section>
      ))}
    </Dialog>
  )
}

const OUTCOME_TONES = { ACCEPTED: 'good', DECLINED: 'warn', EXPIRED: 'bad', WITHDRAWN: 'mute' } as const

/** To whom it was offered, and why each of the others was not. */
function Offered({ trace: { offers, candidates } }: { trace: Trace }) {
  const words = catalogue.offers
  if (offers.length === 0 && candidates.length === 0) return null
  const names = new Map(candidates.map(({ userId, user }) => [userId, user?.displayName ?? userId]))
  return (
    <>
      <h4 class="mute t2">{words.why}</h4>
      <ol class="steps">
        {offers.map(({ id, userId, outcome, reason, madeAt }) => (
          <li key={id}>
            <Icon name="hand" />
            <bdi class="b">{names.get(userId) ?? userId}</bdi>
            <span class={`${outcome ? OUTCOME_TONES[outcome] : 'mute'} t2`}>
              {outcome ? words.outcome[outcome] : words.whyNobody}
            </span>
            <small>{[timeOfDay(madeAt), reason].filter(Boolean).join(' · ')}</small>
          </li>
        ))}
        {candidates.map(({ userId, outcome, reason, load }) => (
          <li key={`c ${userId}`}>
            <span class={outcome === 'CHOSEN' ? 'good' : 'mute'}>
              <Icon name={outcome === 'CHOSEN' ? 'check' : 'x'} />
            </span>
            <bdi>{names.get(userId)}</bdi>
            <span class="mute t2">{load}</span>
            <small>{reason}</small>
          </li>
        ))}
      </ol>
    </>
  )
}

function Step({ entry }: { entry: Entry }) {
  const store = useStore()
  const [icon, tone] = MARKS[entry.outcome]
  const channels = new Map(store.organization.channels.value?.map(({ id, name }) => [id, name]))
  const names = [...entry.channelsNotified, ...entry.channelsOffline].map((id) => channels.get(id) ?? id)
  return (
    <li>
      <span class={tone}>
        <Icon name={icon} />
      </span>
      <span class={entry.outcome === 'FIRED' ? 'b' : ''}>
        <bdi>{[entry.workflow?.name, entry.rule?.name].filter(Boolean).join(': ') || entry.reason}</bdi>
        {names.length > 0 && <bdi class="mid"> → {names.join(', ')}</bdi>}
      </span>
      <span class={`${tone} t2`}>{t().thread.outcome[entry.outcome]}</span>
      <small>{entry.reason}</small>
      {entry.conditions && (
        <div class="conds">
          <Conditions tree={treeOf(entry.conditions)} />
        </div>
      )}
    </li>
  )
}
