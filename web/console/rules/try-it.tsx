import { useState } from 'preact/hooks'
import { AdminExplainDocument, type AdminExplainQuery } from '../../shared/graphql/admin.js'
import { t } from '../../shared/i18n/messages.js'
import { words } from '../admin/words.js'
import { useOffice } from '../office.js'
import { Conditions } from './conditions.js'

const EXAMPLE = `{
  "message": { "text": "My engine is too hot", "touchpoint": "web" },
  "contact": { "email": "a@example.com" },
  "context": { "currentTime": 1030, "dayOfWeek": "Mon" }
}`

/** What the saved rules would do with facts that are typed, and what each condition saw. */
export function TryIt({ workflow, isChanged }: { workflow: string; isChanged: boolean }) {
  const office = useOffice()
  const own = words.workflows
  const [facts, setFacts] = useState(EXAMPLE)
  const [entries, setEntries] = useState<AdminExplainQuery['explainWorkflow'] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const run = (): void => {
    setFault(null)
    let given: Record<string, unknown>
    try {
      given = JSON.parse(facts) as Record<string, unknown>
    } catch (error) {
      return setFault(`${words.services.badJson}: ${(error as Error).message}`)
    }
    office.request(AdminExplainDocument, { workflow, facts: given }).then(
      ({ explainWorkflow }) => setEntries(explainWorkflow),
      (error: Error) => setFault(error.message),
    )
  }
  return (
    <section class="stack" aria-label={own.tryIt}>
      <h3>{own.tryIt}</h3>
      <p class="hint">{own.tryHelp}</p>
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
        {isChanged && <span class="warn t2">{own.unsaved}</span>}
      </div>
      {fault && (
        <p class="hint bad" role="alert">
          {fault}
        </p>
      )}
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
