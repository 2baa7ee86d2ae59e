import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { AdminDraftsDocument, DeleteWorkflowDocument, type AdminDraftFragment } from '../../generated/workflows.js'
import { dayTime } from '../../shared/i18n/format.js'
import { Icon } from '../../shared/ui/icon.js'
import { DraftsBeside } from '../rules/drafts-beside.js'
import { HistoryDialog } from '../rules/history-dialog.js'
import { PublishDialog } from '../rules/publish-dialog.js'
import { newRule, type Workflow } from '../rules/rule-draft.js'
import { RuleEditor } from '../rules/rule-editor.js'
import { RuleList } from '../rules/rule-list.js'
import { treeOf } from '../rules/trace-tree.js'
import { TryIt, type TraceEntry } from '../rules/try-it.js'
import { useEditedDraft } from '../rules/edited-draft.js'
import { words as ruleWords } from '../rules/words.js'
import { useStore } from '../store/console-store.js'
import { faultText } from './fault-text.js'
import { useQuery } from './use-query.js'
import { words } from './words.js'

interface WorkflowEditorProps {
  workflow: Workflow
  refresh(): void
  /** Chooses another workflow, or makes one. */
  children: ComponentChildren
}

/** Edits the rules of a workflow in a draft of one's own, and publishes it. */
export function WorkflowEditor({ workflow, refresh, children }: WorkflowEditorProps) {
  const store = useStore()
  const { data, error, refresh: askDrafts } = useQuery(AdminDraftsDocument, { id: workflow.id }, 'workflowDraft')
  // Whether a draft is outdated is another question once the workflow has changed.
  useEffect(() => askDrafts(), [workflow.version])
  const drafts = data?.workflow?.drafts ?? []
  const [fault, setFault] = useState<string | null>(null)
  const failed = (reason: Error): void => setFault(faultText(reason))
  const edited = useEditedDraft(workflow, drafts.find(({ userId }) => userId === store.user) ?? null, {
    askDrafts,
    refresh,
    latest: data?.workflow?.version ?? 0,
  })
  const { mine, name, rules, isChanged, change, setName } = edited
  const [at, setAt] = useState(0)
  const [trace, setTrace] = useState<ReadonlyMap<string, TraceEntry>>(new Map())
  const [dialog, open] = useState<'publish' | 'history' | null>(null)
  const rule = rules[at]
  // What was tried were other rules.
  useEffect(() => setTrace(new Map()), [rules])
  const save = async (): Promise<void> => {
    setFault(null)
    await edited.save()
  }
  const publish = (): void => {
    if (!mine && !isChanged) return
    save().then(() => open('publish'), failed)
  }
  // What is edited is the draft, if there is one.
  if (!data && !error)
    return (
      <div class="head tools" aria-busy="true">
        {children}
      </div>
    )
  return (
    <>
      <Tools
        {...{ workflow, mine, name, setName, isChanged, failed }}
        save={() => void save().catch(failed)}
        discard={edited.discard}
        publish={publish}
        showHistory={() => open('history')}
        removed={() => {
          edited.forget()
          refresh()
        }}
      >
        {children}
      </Tools>
      {[fault, error?.message].map(
        (text, index) =>
          text && (
            <p key={index} class="band bad" role="alert">
              <Icon name="alert" />
              {text}
            </p>
          ),
      )}
      <DraftsBeside
        workflow={workflow.id}
        mine={mine}
        others={drafts.filter(({ userId }) => userId !== store.user)}
        changed={askDrafts}
        take={edited.take}
        keepMine={() => void edited.rebase().catch(failed)}
        failed={failed}
      />
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
      {dialog === 'publish' && mine && (
        <PublishDialog workflow={workflow.id} draft={mine} changed={edited.published} close={() => open(null)} />
      )}
      {dialog === 'history' && (
        <HistoryDialog workflow={workflow} restored={edited.restored} close={() => open(null)} />
      )}
    </>
  )
}

interface ToolsProps {
  workflow: Workflow
  mine: AdminDraftFragment | null
  name: string
  setName(name: string): void
  isChanged: boolean
  save(): void
  discard(): Promise<void>
  publish(): void
  showHistory(): void
  removed(): void
  failed(error: Error): void
  children: ComponentChildren
}

function Tools(props: ToolsProps) {
  const { workflow, mine, name, setName, isChanged, save, discard, publish, showHistory, removed, failed, children } =
    props
  const store = useStore()
  const [asks, setAsks] = useState<'discard' | 'remove' | null>(null)
  const remove = (): void => {
    if (asks !== 'remove') return setAsks('remove')
    store.request(DeleteWorkflowDocument, { id: workflow.id }).then(removed, failed)
  }
  const leave = (): void => {
    // What is only in this window goes at once; a draft that is stored is asked for.
    if (!isChanged && asks !== 'discard') return setAsks('discard')
    setAsks(null)
    discard().catch(failed)
  }
  const state = isChanged
    ? ruleWords.unsaved
    : mine
      ? ruleWords.saved(dayTime(mine.updatedAt, store.now.value))
      : ruleWords.live
  return (
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
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <span class="push" role="status">
        <span class={isChanged ? 'tag warn' : 'tag'}>{state}</span>
      </span>
      <button class="btn ghost" onClick={showHistory}>
        <Icon name="clock" size="s" />
        {ruleWords.history}
      </button>
      {(isChanged || mine) && (
        <button class="btn ghost" onClick={leave}>
          {asks === 'discard' ? ruleWords.discardAsk : ruleWords.discard}
        </button>
      )}
      <button class="btn ghost danger" onClick={remove}>
        {asks === 'remove' ? words.removeAsk(name) : words.remove}
      </button>
      <button class="btn" aria-disabled={!isChanged} onClick={() => isChanged && save()}>
        {ruleWords.save}
      </button>
      <button class="btn primary" aria-disabled={!isChanged && !mine} onClick={publish}>
        {ruleWords.publish}
      </button>
    </div>
  )
}
