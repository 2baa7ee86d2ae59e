import { useState } from 'preact/hooks'
import { DeleteWorkflowDocument, UpdateWorkflowDocument } from '../../shared/graphql/admin.js'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { useOffice } from '../office.js'
import { NEW_LEAF, type Node } from '../rules/tree.js'
import { TreeEditor } from '../rules/tree-editor.js'
import { TryIt, type TraceEntry } from '../rules/try-it.js'
import type { Workflow } from './workflows.js'
import { words } from './words.js'

/** A rule as it is edited, by its id. */
interface RuleDraft {
  key: string
  name: string
  priority: number
  conditions: Node
  channels: string[]
  users: string[]
  delay: number
  isLastRule: boolean
}

/** All rules of a workflow, saved together: nothing is half changed. */
export function WorkflowEditor({ workflow, refresh }: { workflow: Workflow; refresh(): void }) {
  const office = useOffice()
  const own = words.workflows
  const [rules, setRules] = useState(() => workflow.rules.map(draftOf))
  const [at, setAt] = useState(0)
  const [name, setName] = useState(workflow.name ?? '')
  const [isChanged, setChanged] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [asks, setAsks] = useState(false)
  const [trace, setTrace] = useState<Trace>(new Map())
  const rule = rules[at]
  const change = (next: RuleDraft[]): void => {
    setRules(next)
    setChanged(true)
    // What was tried were other rules.
    setTrace(new Map())
  }
  const set = (patch: Partial<RuleDraft>): void => change(rules.with(at, { ...rule!, ...patch }))
  const add = (): void => {
    change([
      ...rules,
      {
        key: crypto.randomUUID(),
        name: '',
        priority: 1,
        conditions: { all: [NEW_LEAF] },
        channels: [],
        users: [],
        delay: 0,
        isLastRule: false,
      },
    ])
    setAt(rules.length)
  }
  const save = (): void => {
    setFault(null)
    office.request(UpdateWorkflowDocument, { id: workflow.id, patch: { name, rules: rules.map(inputOf) } }).then(
      ({ updateWorkflow }) => {
        setRules(updateWorkflow.rules.map(draftOf))
        setChanged(false)
        refresh()
      },
      (error: Error) => setFault(error.message),
    )
  }
  const remove = (): void => {
    if (!asks) return setAsks(true)
    office.request(DeleteWorkflowDocument, { id: workflow.id }).then(refresh, (error: Error) => setFault(error.message))
  }
  return (
    <>
      <div class="line">
        <label class="vh" for="workflow-name">
          {words.name}
        </label>
        <input
          id="workflow-name"
          class="in fit"
          value={name}
          onInput={(event) => {
            setName(event.currentTarget.value)
            setChanged(true)
          }}
        />
        <button class="btn primary" aria-disabled={!isChanged} onClick={save}>
          {own.save}
        </button>
        <span class="mute t2" role="status">
          {isChanged ? own.unsaved : ''}
        </span>
        <button class="btn ghost danger push" onClick={remove}>
          {asks ? words.removeAsk(name) : words.remove}
        </button>
      </div>
      {fault && (
        <p class="band bad" role="alert">
          <Icon name="alert" />
          {fault}
        </p>
      )}
      <div class="box rules">
        <div>
          {rules.map((each, index) => (
            <button
              key={each.key}
              class="rule"
              aria-current={index === at ? 'true' : undefined}
              onClick={() => setAt(index)}
            >
              <span class="n">{index + 1}</span>
              <bdi>{each.name || own.unnamed}</bdi>
              {trace.has(each.key) && <Outcome entry={trace.get(each.key)!} />}
              <small>{each.delay > 0 ? `${own.delay} ${each.delay}` : `${own.priority} ${each.priority}`}</small>
            </button>
          ))}
          <p class="pad">
            <button class="btn small" onClick={add}>
              <Icon name="plus" size="s" />
              {own.rule}
            </button>
          </p>
        </div>
        <div class="pad">
          {rule && (
            <RuleEditor
              key={rule.key}
              rule={rule}
              trace={trace.get(rule.key)?.conditions ?? null}
              set={set}
              remove={() => {
                change(rules.toSpliced(at, 1))
                setAt(0)
              }}
            />
          )}
        </div>
        <div class="pad">
          <TryIt
            workflow={workflow.id}
            rules={rules.map(inputOf)}
            tried={(entries) => setTrace(new Map(entries.map((entry) => [entry.rule?.id ?? '', entry])))}
          />
        </div>
      </div>
    </>
  )
}

type Trace = ReadonlyMap<string, TraceEntry>

const MARKS = {
  FIRED: ['check', 'good'],
  NOT_MATCHED: ['x', 'mute'],
  DEFERRED: ['clock', 'warn'],
  SKIPPED: ['dots', 'mute'],
} as const

/** What came of the rule when it was tried. */
function Outcome({ entry }: { entry: TraceEntry }) {
  const [icon, tone] = MARKS[entry.outcome]
  return (
    <small class={`${tone} line tight`}>
      <Icon name={icon} size="s" />
      {t().thread.outcome[entry.outcome]}
    </small>
  )
}

interface RuleEditorProps {
  rule: RuleDraft
  /** What its conditions saw when it was tried. */
  trace: Record<string, unknown> | null
  set(patch: Partial<RuleDraft>): void
  remove(): void
}

function RuleEditor({ rule, trace, set, remove }: RuleEditorProps) {
  const own = words.workflows
  const channels = useOffice().channels.value ?? []
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
      <fieldset class="field checks">
        <legend>
          {own.then}: {own.channels}
        </legend>
        {channels.map(({ id, name }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={rule.channels.includes(id)}
              onChange={(event) =>
                set({
                  channels: event.currentTarget.checked
                    ? [...rule.channels, id]
                    : rule.channels.filter((each) => each !== id),
                })
              }
            />
            <bdi>{name}</bdi>
          </label>
        ))}
      </fieldset>
      <div class="line">
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
            value={rule.priority}
            onInput={(event) => set({ priority: event.currentTarget.valueAsNumber || 1 })}
          />
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={rule.isLastRule}
            onChange={(event) => set({ isLastRule: event.currentTarget.checked })}
          />
          {own.last}
        </label>
        <button class="btn ghost danger push" onClick={remove}>
          {words.remove}
        </button>
      </div>
    </div>
  )
}

function draftOf({ id, priority, conditions, event: { params } }: Workflow['rules'][number]): RuleDraft {
  return {
    key: id,
    name: params.name ?? '',
    priority,
    conditions: conditions as unknown as Node,
    channels: params.channels ?? [],
    users: params.users ?? [],
    delay: params.delay ?? 0,
    isLastRule: params.isLastRule ?? false,
  }
}

/** A new rule has an id from the start: what is tried of it is told under that. */
function inputOf({ key, name, priority, conditions, channels, users, delay, isLastRule }: RuleDraft) {
  const params = { name, channels, delay, isLastRule, ...(users.length > 0 && { users }) }
  return {
    id: key,
    priority,
    conditions: conditions as unknown as Record<string, unknown>,
    event: { type: 'notify', params },
  }
}
