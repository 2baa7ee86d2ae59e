import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { DeleteWorkflowDocument, UpdateWorkflowDocument } from '../../generated/admin.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { draftOf, inputOf, newRule, type RuleDraft, type Workflow } from '../rules/rule-draft.js'
import { RuleEditor } from '../rules/rule-editor.js'
import { RuleList } from '../rules/rule-list.js'
import { treeOf } from '../rules/trace-tree.js'
import { TryIt, type TraceEntry } from '../rules/try-it.js'
import { faultText } from './fault-text.js'
import { words } from './words.js'

interface WorkflowEditorProps {
  workflow: Workflow
  refresh(): void
  /** Chooses another workflow, or makes one. */
  children: ComponentChildren
}

interface Unsaved {
  /** The version that the changes began with. */
  version: number
  name: string
  rules: RuleDraft[]
}

/** Changes that were not saved when the page was left for another one, by user and workflow: they are there on return. */
const unsaved = new Map<string, Unsaved>()
addEventListener('beforeunload', (event) => {
  if (unsaved.size > 0) event.preventDefault()
})

/** Edits all rules of a workflow, which are saved together. */
export function WorkflowEditor({ workflow, refresh, children }: WorkflowEditorProps) {
  const store = useStore()
  const own = words.workflows
  const key = `${store.user} ${workflow.id}`
  const kept = unsaved.get(key)
  const [rules, setRules] = useState(() => kept?.rules ?? workflow.rules.map(draftOf))
  const [at, setAt] = useState(0)
  const [name, setName] = useState(kept?.name ?? workflow.name ?? '')
  const [isChanged, setChanged] = useState(kept !== undefined)
  const [fault, setFault] = useState<string | null>(null)
  const [version, setVersion] = useState(kept?.version ?? workflow.version)
  const [asks, setAsks] = useState(false)
  const [trace, setTrace] = useState<ReadonlyMap<string, TraceEntry>>(new Map())
  const rule = rules[at]
  const change = (next: RuleDraft[]): void => {
    setRules(next)
    setChanged(true)
    unsaved.set(key, { version, name, rules: next })
    // What was tried were other rules.
    setTrace(new Map())
  }
  const takeStored = (stored: Pick<Workflow, 'version' | 'name' | 'rules'>): void => {
    setVersion(stored.version)
    setRules(stored.rules.map(draftOf))
    setName(stored.name ?? '')
    setChanged(false)
    unsaved.delete(key)
    setFault(null)
  }
  const save = (): void => {
    if (!isChanged) return
    setFault(null)
    const patch = { name, rules: rules.map(inputOf), ifVersion: version }
    store.request(UpdateWorkflowDocument, { id: workflow.id, patch }).then(
      ({ updateWorkflow }) => {
        takeStored({ ...updateWorkflow, name })
        refresh()
      },
      (error: Error) => setFault(faultText(error)),
    )
  }
  const remove = (): void => {
    if (!asks) return setAsks(true)
    store.request(DeleteWorkflowDocument, { id: workflow.id }).then(
      () => {
        unsaved.delete(key)
        refresh()
      },
      (error: Error) => setFault(error.message),
    )
  }
  return (
    <>
      <div class="head tools">
        {children}
        <label class="vh" for="workflow-name">
          {words.name}
        </label>
        <input
          id="workflow-name"
          class="in fit"
          dir="auto"
          value={name}
          onInput={(event) => {
            setName(event.currentTarget.value)
            setChanged(true)
            unsaved.set(key, { version, name: event.currentTarget.value, rules })
          }}
        />
        <span class="push" role="status">
          {isChanged && <span class="tag warn">{own.unsaved}</span>}
        </span>
        {isChanged && (
          <button class="btn ghost" onClick={() => takeStored(workflow)}>
            {own.discard}
          </button>
        )}
        <button class="btn ghost danger" onClick={remove}>
          {asks ? words.removeAsk(name) : words.remove}
        </button>
        <button class="btn primary" aria-disabled={!isChanged} onClick={save}>
          {own.save}
        </button>
      </div>
      {fault && (
        <p class="band bad" role="alert">
          <Icon name="alert" />
          {fault}
        </p>
      )}
      <div class="rules">
        <RuleList
          rules={rules}
          at={at}
          trace={trace}
          choose={setAt}
          add={() => {
            change([...rules, newRule()])
            setAt(rules.length)
          }}
        />
        <div class="pad rule-form">
          {rule && (
            <RuleEditor
              key={rule.key}
              rule={rule}
              trace={treeOf(trace.get(rule.key)?.conditions ?? [])}
              set={(patch) => change(rules.with(at, { ...rule, ...patch }))}
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
            rules={rules}
            tried={(entries) => setTrace(new Map(entries.map((entry) => [entry.rule?.id ?? '', entry])))}
          />
        </div>
      </div>
    </>
  )
}
