import { useState } from 'preact/hooks'
import {
  AdminExplainDocument,
  AdminFactsDocument,
  AdminPastDocument,
  AdminReplayDocument,
  type AdminExplainQuery,
  type AdminReplayQuery,
} from '../../generated/workflows.js'
import { Icon } from '../../shared/ui/icon.js'
import { useQuery } from '../admin/use-query.js'
import { words } from '../admin/words.js'
import { threadPath } from '../route.js'
import { useStore } from '../store/console-store.js'
import { factText, lookedAt, withFact, type Facts } from './facts.js'
import { inputOf, type RuleDraft } from './rule-draft.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'

const EXAMPLE: Facts = {
  message: { text: 'My engine is too hot', touchpoint: 'web' },
  contact: { email: 'a@example.com' },
  context: { currentTime: 1030, dayOfWeek: 'Mon' },
}

export type TraceEntry = AdminExplainQuery['explainWorkflow'][number]

interface TryItProps {
  workflow: string
  /** As they are edited, saved or not. */
  rules: readonly RuleDraft[]
  tried(entries: readonly TraceEntry[]): void
}

const WEEK_MS = 7 * 86_400_000

/** Tries the rules with facts that are typed, with those of a conversation, or with the last week's conversations. */
export function TryIt({ workflow, rules, tried }: TryItProps) {
  const store = useStore()
  const own = words.workflows
  const past = useQuery(AdminPastDocument, {})
  // As text, so that what is typed stays while it is no JSON.
  const [text, setText] = useState(jsonOf(EXAMPLE))
  const [entries, setEntries] = useState<readonly TraceEntry[] | null>(null)
  const [replay, setReplay] = useState<AdminReplayQuery['replayRules'] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const failed = (error: Error): void => setFault(error.message)
  const facts = factsOf(text)
  const inputs = rules.map(inputOf)
  const run = (given = text): void => {
    setFault(null)
    let parsed: Facts
    try {
      parsed = JSON.parse(given) as Facts
    } catch (error) {
      return setFault(`${words.services.badJson}: ${(error as Error).message}`)
    }
    store.request(AdminExplainDocument, { workflow, facts: parsed, rules: inputs }).then(({ explainWorkflow }) => {
      setEntries(explainWorkflow)
      tried(explainWorkflow)
    }, failed)
  }
  const take = (conversation: string): void => {
    setEntries(null)
    if (conversation === '') return setText(jsonOf(EXAMPLE))
    setFault(null)
    store.request(AdminFactsDocument, { conversation }).then(({ routingFacts }) => {
      setText(jsonOf(routingFacts))
      run(jsonOf(routingFacts))
    }, failed)
  }
  const replayWeek = (): void => {
    setFault(null)
    const since = new Date(store.session.now() - WEEK_MS).toISOString()
    store
      .request(AdminReplayDocument, { workflow, rules: inputs, since })
      .then(({ replayRules }) => setReplay(replayRules), failed)
  }
  return (
    <section class="stack" aria-label={own.tryIt}>
      <h2>{own.tryIt}</h2>
      <p class="hint">{own.tryHelp}</p>
      <select class="in" aria-label={own.from} onChange={(event) => take(event.currentTarget.value)}>
        <option value="">{own.madeUp}</option>
        {past.data?.conversations.edges.map(({ node: { id, name, contact } }) => (
          <option key={id} value={id}>
            {contact?.profile.name ?? name}
          </option>
        ))}
      </select>
      {entries && <Goes entries={entries} />}
      {facts && (
        <>
          <h3>{own.seen}</h3>
          <div class="looked">
            {lookedAt(rules.map(({ conditions }) => conditions)).map((looked) => (
              <label key={looked.fact + looked.path}>
                <span class="mono mid">
                  {looked.fact}
                  {looked.path}
                </span>
                <input
                  class="in"
                  dir="auto"
                  value={factText(facts, looked)}
                  onInput={(event) => setText(jsonOf(withFact(facts, looked, event.currentTarget.value)))}
                />
              </label>
            ))}
          </div>
        </>
      )}
      <details open={facts === null}>
        <summary>{own.facts}</summary>
        <label class="vh" for="facts">
          {own.facts}
        </label>
        <textarea
          id="facts"
          class="in mono"
          rows={8}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </details>
      <div class="line">
        <button class="btn" onClick={() => run()}>
          {own.run}
        </button>
        <button class="btn" onClick={replayWeek}>
          {own.replay}
        </button>
      </div>
      <ErrorHint text={fault} />
      {replay && <Replayed replay={replay} />}
    </section>
  )
}

const jsonOf = (facts: Facts): string => JSON.stringify(facts, null, 2)

function factsOf(text: string): Facts | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed) ? (parsed as Facts) : null
  } catch {
    return null
  }
}

/** Those whom the fired rules notify; the rules themselves show why. */
function Goes({ entries }: { entries: readonly TraceEntry[] }) {
  const own = words.workflows
  const names = new Map(useStore().organization.channels.value?.map(({ id, name }) => [id, name]))
  const told = new Set(
    entries
      .filter(({ outcome }) => outcome === 'FIRED')
      .flatMap(({ channelsNotified, channelsOffline }) => [...channelsNotified, ...channelsOffline]),
  )
  return (
    <p class="hintbox" role="status">
      {told.size > 0 ? own.goesTo([...told].map((id) => names.get(id) ?? id).join(', ')) : own.goesNowhere}
    </p>
  )
}

/** Conversations that would go elsewhere, and where. */
function Replayed({ replay }: { replay: AdminReplayQuery['replayRules'] }) {
  const own = words.workflows
  const names = new Map(useStore().organization.channels.value?.map(({ id, name }) => [id, name]))
  const said = ({ channels }: { channels: readonly string[] }): string =>
    channels.map((id) => names.get(id) ?? id).join(', ') || own.nobody
  return (
    <div class="stack" role="status">
      <p>{own.replayed(replay.replayed, replay.changed)}</p>
      {!replay.isComplete && <p class="mute t2">{own.newest}</p>}
      {replay.unreached > 0 && (
        <p class="band bad">
          <Icon name="alert" />
          {own.unreached(replay.unreached)}
        </p>
      )}
      {replay.unknown > 0 && (
        <details>
          <summary>{own.notKnown(replay.unknown)}</summary>
          <ul class="stack">
            {replay.unknowns.map(({ conversation, name, facts, lacksRules }) => (
              <li key={conversation}>
                <a href={threadPath(conversation)}>
                  <bdi>{name}</bdi>
                </a>
                <small class="mute"> {lacksRules ? own.rulesGone : own.notRecorded(facts.join(', '))}</small>
              </li>
            ))}
          </ul>
        </details>
      )}
      <ul class="stack">
        {replay.changes.map(({ conversation, name, before, after }) => (
          <li key={conversation}>
            <a href={threadPath(conversation)}>
              <bdi>{name}</bdi>
            </a>
            <small class="mute">
              {' '}
              {said(before)} → {said(after)}
            </small>
          </li>
        ))}
      </ul>
    </div>
  )
}
