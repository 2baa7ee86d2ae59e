import { useMemo, useState } from 'preact/hooks'
import {
  DiscardWorkflowDraftDocument,
  SaveWorkflowDraftDocument,
  UpdateWorkflowDocument,
  type AdminDraftFragment,
  type PublishWorkflowDraftMutation,
} from '../../generated/workflows.js'
import { useStore } from '../store/console-store.js'
import { useOwnChange } from '../use-own-change.js'
import { draftOf, inputOf, type RuleDraft, type Workflow } from './rule-draft.js'

/** Changes that are not saved, with what they began with. */
interface Unsaved {
  /** Version of the draft; 0 if there was none. */
  draft: number
  /** Version of the workflow. */
  base: number
  name: string
  rules: RuleDraft[]
}

/** Changes that were not saved when the page was left for another one, by user and workflow: they are there on return. */
const unsaved = new Map<string, Unsaved>()
addEventListener('beforeunload', (event) => {
  if (unsaved.size > 0) event.preventDefault()
})

interface Refreshing {
  askDrafts(): void
  /** Asks for the workflows. */
  refresh(): void
  /** Version of the workflow by which a draft is told to be outdated: the workflow may be older here. */
  latest: number
}

/** Returns the rules as they are edited: those in this window, else those of the draft, else those that run. */
export function useEditedDraft(
  workflow: Workflow,
  stored: AdminDraftFragment | null,
  { askDrafts, refresh, latest }: Refreshing,
) {
  const store = useStore()
  const key = `${store.user} ${workflow.id}`
  const [mine, setMine] = useOwnChange(stored)
  // What was published here runs, though the workflow is not read again yet: nobody goes on with the rules before.
  const [published, setPublished] = useState<Pick<Workflow, 'version' | 'rules'> | null>(null)
  const running = published && published.version > workflow.version ? { ...workflow, ...published } : workflow
  const [edit, setEdit] = useState<Unsaved | null>(() => unsaved.get(key) ?? null)
  // The same objects, however often the same is answered: what was tried is shown on them.
  const source = JSON.stringify((mine ?? running).rules)
  const shown = useMemo(() => (mine ?? running).rules.map(draftOf), [source])
  const start: Unsaved = {
    draft: mine?.version ?? 0,
    base: mine?.baseVersion ?? running.version,
    name: workflow.name ?? '',
    rules: shown,
  }
  const now = edit ?? start
  const keep = (next: Unsaved | null): void => {
    if (next) unsaved.set(key, next)
    else unsaved.delete(key)
    setEdit(next)
  }
  const settle = (draft: AdminDraftFragment | null): void => {
    setMine(draft)
    keep(null)
    askDrafts()
  }
  const saveAs = async (base: number): Promise<void> => {
    const variables = { workflow: workflow.id, rules: now.rules.map(inputOf), ifVersion: now.draft, baseVersion: base }
    const { saveWorkflowDraft } = await store.request(SaveWorkflowDraftDocument, variables)
    settle(saveWorkflowDraft)
  }
  return {
    mine,
    name: now.name,
    rules: now.rules,
    isChanged: edit !== null,
    change: (rules: RuleDraft[]) => keep({ ...now, rules }),
    setName: (name: string) => keep({ ...now, name }),
    /** Saves the draft, and the name at once. */
    async save(): Promise<void> {
      if (!edit) return
      const isNamed = edit.name !== (workflow.name ?? '')
      if (isNamed) {
        const patch = { name: edit.name, ifVersion: running.version }
        await store.request(UpdateWorkflowDocument, { id: workflow.id, patch })
        refresh()
      }
      if (JSON.stringify(edit.rules) !== JSON.stringify(shown)) await saveAs(edit.base)
      else keep(null)
    },
    /** Saves the rules as a draft that begins with those that run now. */
    rebase: () => saveAs(Math.max(running.version, latest)),
    /** Leaves what is in this window, else the draft. */
    async discard(): Promise<void> {
      if (edit) return keep(null)
      if (!mine) return
      await store.request(DiscardWorkflowDraftDocument, { workflow: workflow.id, ifVersion: mine.version })
      settle(null)
    },
    take: (draft: AdminDraftFragment) => keep({ ...now, base: draft.baseVersion, rules: draft.rules.map(draftOf) }),
    published({ draft, workflow: { version } }: PublishWorkflowDraftMutation['publishWorkflowDraft']): void {
      if (draft) return settle(draft)
      if (mine) setPublished({ version, rules: mine.rules })
      setMine(null)
      askDrafts()
      refresh()
    },
    restored(): void {
      askDrafts()
      refresh()
    },
    forget: () => keep(null),
  }
}
