import { useState } from 'preact/hooks'
import {
  AdminExplainDocument,
  AdminFactsDocument,
  AdminPastDocument,
  AdminReplayDocument,
  type AdminExplainQuery,
  type AdminReplayQuery,
  type WorkflowRuleInput,
} from '../../shared/graphql/admin.js'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { useQuery } from '../admin/use-query.js'
import { words } from '../admin/words.js'
import { threadPath } from '../route.js'
import { useOffice } from '../office.js'
import { Conditions } from './conditions.js'

const EXAMPLE = `{
  "message": { "text": "My engine is too hot", "touchpoint": "web" },
  "contact": { "email": "a@example.com" },
  "context": { "currentTime": 1030, "dayOfWeek": "Mon" }
}`

export type TraceEntry = AdminExplainQuery['explainWorkflow'][number]

interface TryItProps {
  workflow: string
  /** As they are edited, saved or not. */
  rules: readonly WorkflowRuleInput[]
  tried(entries: readonly TraceEntry[]): void
}

const WEEK_MS = 7 * 86_400_000

/** What the rules would do with facts that are typed, or with those of a conversation, and with the last week. */
export function TryIt({ workflow, rules, tried }: TryItProps) {
  const office = useOffice()
  const own = words.workflows
  const past = useQuery(AdminPastDocument, {})
  const [facts, setFacts] = useState(EXAMPLE)
  const [entries, setEntries] = useState<readonly TraceEntry[] | null>(null)
  const [replay, setReplay] = useState<AdminReplayQuery['replayRules'] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const failed = (error: Error): void => setFault(error.message)
  const run = (): void => {
    setFault(null)
    let given: Record<string, unknown>
    try {
      given = JSON.parse(facts) as Record<string, unknown>
    } catch (error) {
      return setFault(`${words.services.badJson}: ${(error as Error).message}`)
    }
    office.request(AdminExplainDocument, { workflow, facts: given, rules: [...rules] }).then(({ explainWorkflow }) => {
      setEntries(explainWorkflow)
      tried(explainWorkflow)
    }, failed)
  }
  const take = (conversation: string): void => {
    if (conversation === '') return setFacts(EXAMPLE)
    setFault(null)
    office
      .request(AdminFactsDocument, { conversation })
      .then(({ routingFacts }) => setFacts(JSON.stringify(routingFacts, null, 2)), failed)
  }
  const replayWeek = (): void => {
    setFault(null)
    const since = new Date(Date.now() - WEEK_MS).toISOString()
    office
      .request(AdminReplayDocument, { workflow, rules: [...rules], since })
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
      <label class="vh" for="facts">
        {own.facts}
      </label>
      <textarea
        id="facts"
        class="in mono"
        rows={8}
        spellcheck={false}
        value={facts}
        onInput={(event) => setFacts(event.currentTarget.value)}
      />
      <div class="line">
        <button class="btn" onClick={run}>
          {own.run}
        </button>
        <button class="btn" onClick={replayWeek}>
          {own.replay}
        </button>
      </div>
      {fault && (
        <p class="hint bad" role="alert">
          {fault}
        </p>
      )}
      {replay && <Replayed replay={replay} />}
      <ol class="steps" aria-live="polite">
        {entries?.map((entry, index) => (
          <li key={index}>
            <span class={entry.outcome === 'FIRED' ? 'good' : 'mute'}>{index + 1}</span>
            <bdi class={entry.outcome === 'FIRED' ? 'b' : ''}>{entry.rule?.name || own.unnamed}</bdi>
            <span class="mute t2">{t().thread.outcome[entry.outcome]}</span>
            <small>{entry.reason}</small>
            {entry.conditions && (
              <div class="conds">
                <Conditions tree={entry.conditions} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Which conversations would go elsewhere, and where. */
function Replayed({ replay }: { replay: AdminReplayQuery['replayRules'] }) {
  const own = words.workflows
  const names = new Map(useOffice().channels.value?.map(({ id, name }) => [id, name]))
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
