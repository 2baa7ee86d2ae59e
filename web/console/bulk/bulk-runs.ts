import { signal } from '@preact/signals'
import { newId } from '@switchboard/client'
import {
  BulkDocument,
  BulkRunDocument,
  CancelBulkDocument,
  UndoBulkDocument,
  type BulkMutationVariables,
  type BulkPartsFragment,
} from '../../generated/bulk.js'
import type { ConsoleStore } from '../store/console-store.js'

export type Run = BulkPartsFragment
export type Act = BulkMutationVariables['act']

/** Events may be missed while there is no connection. */
const LOOK_MS = 3_000
/** So long the server lets a run be undone. */
const UNDO_MS = 15_000

interface ShownRun {
  run: Run
  /** Refusal of the last question about it. */
  fault: string | null
  /** True while it can be undone; counted here, since this clock may be wrong. */
  isUndoable: boolean
}

/** The run that was begun last in this tab, until it is dismissed. */
export const shownRun = signal<ShownRun | null>(null)

let looking: ReturnType<typeof setInterval> | undefined

export const isUnderWay = ({ state }: Run): boolean => state === 'RUNNING' || state === 'UNDOING'

/** Begins an act. A repeat of one whose answer was lost is the same run. @throws the server's reason why not */
export async function begin(store: ConsoleStore, given: { act: Act; conversations: string[] }): Promise<void> {
  const text = JSON.stringify(given)
  // Undo is of what is done now, from now on.
  const before = shownRun.peek()
  if (before && !isUnderWay(before.run)) dismiss()
  if (asked.text !== text) asked = { text, id: newId() }
  const { bulk } = await store.request(BulkDocument, { ...given, id: asked.id })
  asked = { text: '', id: '' }
  show(bulk)
  clearInterval(looking)
  looking = setInterval(() => void look(store), LOOK_MS)
}

let asked = { text: '', id: '' }

/** Asks how far it is. @param id of the run that an event names; default: the one that is shown */
export async function look(store: ConsoleStore, id = shownRun.peek()?.run.id): Promise<void> {
  const known = shownRun.peek()
  if (!known || known.run.id !== id || !isUnderWay(known.run)) return
  try {
    const { bulkRun } = await store.request(BulkRunDocument, { id })
    if (bulkRun) show(bulkRun)
  } catch {
    // It is asked again.
  }
}

export const cancel = (store: ConsoleStore): Promise<void> =>
  change(async (id) => (await store.request(CancelBulkDocument, { id })).cancelBulk)

export async function undo(store: ConsoleStore): Promise<void> {
  await change(async (id) => (await store.request(UndoBulkDocument, { id })).undoBulk)
  clearInterval(looking)
  looking = setInterval(() => void look(store), LOOK_MS)
}

export function dismiss(): void {
  clearInterval(looking)
  shownRun.value = null
}

async function change(request: (id: string) => Promise<Run>): Promise<void> {
  const known = shownRun.peek()
  if (!known) return
  try {
    show(await request(known.run.id))
  } catch (error) {
    shownRun.value = { ...known, fault: (error as Error).message, isUndoable: false }
  }
}

function show(run: Run): void {
  const before = shownRun.peek()
  // An answer that was overtaken by a later one.
  if (before?.run.id === run.id && !isUnderWay(before.run) && run.state === 'RUNNING') return
  const hasEnded = run.undoUntil !== null && (before?.run.id !== run.id || isUnderWay(before.run))
  shownRun.value = {
    run,
    fault: null,
    isUndoable: run.undoUntil !== null && (hasEnded || before?.isUndoable === true),
  }
  if (!isUnderWay(run)) clearInterval(looking)
  if (hasEnded) setTimeout(() => over(run), UNDO_MS)
}

/** Nothing can be done about it any more: it goes, unless it has something to say. */
function over({ id, state }: Run): void {
  const known = shownRun.peek()
  if (known?.run.id !== id || known.run.state !== state) return
  if (known.run.refusals.length === 0) dismiss()
  else shownRun.value = { ...known, isUndoable: false }
}
