import { useStore } from '../store/console-store.js'
import { words } from '../admin/words.js'
import type { RuleDraft } from './rule-draft.js'
import type { TraceNode } from './trace-tree.js'
import { TreeEditor } from './tree-editor.js'

interface RuleEditorProps {
  rule: RuleDraft
  /** Values that its conditions saw in the trial. */
  trace: TraceNode | null
  set(patch: Partial<RuleDraft>): void
  remove(): void
}

/** One rule: when it holds, and who hears of it then. */
export function RuleEditor({ rule, trace, set, remove }: RuleEditorProps) {
  const own = words.workflows
  const channels = useStore().organization.channels.value ?? []
  return (
    <div class="stack">
      <div class="field">
        <label for="rule-name">{own.ruleName}</label>
        <input
          id="rule-name"
          class="in"
          dir="auto"
          value={rule.name}
          onInput={(event) => set({ name: event.currentTarget.value })}
        />
      </div>
      <h2>{own.when}</h2>
      <TreeEditor node={rule.conditions} trace={trace} change={(conditions) => set({ conditions })} />
      <h2>{own.then}</h2>
      <fieldset class="field checks across">
        <legend class="vh">{own.channels}</legend>
        {channels.map(({ id, name }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={rule.channels.includes(id)}
              onChange={({ currentTarget: { checked } }) =>
                set({ channels: checked ? [...rule.channels, id] : rule.channels.filter((each) => each !== id) })
              }
            />
            <bdi>{name}</bdi>
          </label>
        ))}
      </fieldset>
      <div class="grid four top">
        <div class="field">
          <label for="rule-delay">{own.delay}</label>
          <input
            id="rule-delay"
            class="in"
            type="number"
            min={0}
            value={rule.delay}
            onInput={(event) => set({ delay: event.currentTarget.valueAsNumber || 0 })}
          />
        </div>
        <div class="field">
          <label for="rule-priority">{own.priority}</label>
          <input
            id="rule-priority"
            class="in"
            type="number"
            min={1}
            aria-describedby="rule-priority-help"
            value={rule.priority}
            onInput={(event) => set({ priority: event.currentTarget.valueAsNumber || 1 })}
          />
          <p class="hint" id="rule-priority-help">
            {own.priorityHelp}
          </p>
        </div>
      </div>
      <div class="line">
        <label class="check">
          <input
            type="checkbox"
            checked={rule.isLastRule}
            onChange={(event) => set({ isLastRule: event.currentTarget.checked })}
          />
          {own.last}
        </label>
        <button class="btn ghost danger push" onClick={remove}>
          {own.removeRule}
        </button>
      </div>
    </div>
  )
}
