import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { words } from '../admin/words.js'
import { useStore } from '../store/console-store.js'
import type { RuleDraft } from './rule-draft.js'
import type { TraceEntry } from './try-it.js'

interface RuleListProps {
  rules: readonly RuleDraft[]
  at: number
  /** Results of the trial, by rule key. */
  trace: ReadonlyMap<string, TraceEntry>
  choose(index: number): void
  add(): void
}

/** The rules in the order in which they were made, each with whom it tells and what came of it. */
export function RuleList({ rules, at, trace, choose, add }: RuleListProps) {
  const own = words.workflows
  const names = new Map(useStore().organization.channels.value?.map(({ id, name }) => [id, name]))
  return (
    <section aria-label={own.rules}>
      {rules.map(({ key, name, channels, delay }, index) => {
        const entry = trace.get(key)
        const whom = channels.map((id) => names.get(id) ?? id).join(', ') || own.nobody
        return (
          <button key={key} class="rule" aria-current={index === at ? 'true' : undefined} onClick={() => choose(index)}>
            <span class="n">{index + 1}</span>
            <bdi>{name || own.unnamed}</bdi>
            <small>
              <bdi>{own.to(whom)}</bdi>, {delay > 0 ? own.after(delay) : own.atOnce}
            </small>
            {entry && <Outcome entry={entry} />}
          </button>
        )
      })}
      {rules.length === 0 && (
        <div class="pad stack">
          <p class="b">{own.noRules[0]}</p>
          <p class="mid">{own.noRules[1]}</p>
        </div>
      )}
      <p class="pad">
        <button class="btn small" onClick={add}>
          <Icon name="plus" size="s" />
          {own.rule}
        </button>
      </p>
    </section>
  )
}

const MARKS = {
  FIRED: ['check', 'good'],
  NOT_MATCHED: ['x', 'mute'],
  DEFERRED: ['clock', 'warn'],
  SKIPPED: ['dots', 'mute'],
} as const

/** The result of the rule's trial, and why. */
function Outcome({ entry: { outcome, reason } }: { entry: TraceEntry }) {
  const [icon, tone] = MARKS[outcome]
  return (
    <small class={`${tone} line tight`} title={reason}>
      <Icon name={icon} size="s" />
      {t().thread.outcome[outcome]}
    </small>
  )
}
