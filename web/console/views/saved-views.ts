import { effect, signal, type ReadonlySignal } from '@preact/signals'
import { newId, Refused } from '@switchboard/client'
import {
  DeleteViewDocument,
  SavedViewCountsDocument,
  SavedViewsDocument,
  SaveViewDocument,
  type SavedViewPartsFragment,
  type SavedViewsQuery,
  type SaveViewMutationVariables,
} from '../../generated/saved-views.js'
import type { ConsoleStore } from '../store/console-store.js'

export type SavedView = SavedViewPartsFragment

export interface Counted {
  count: number
  isMore: boolean
  /** Time of the counting, by the server's clock. */
  at: number
}

const ROUND_MS = 10_000
/** So many are counted by one question. */
const COUNTED_MAX = 30
/** While none are shown, their names alone are read, each so many rounds. */
const NAMES_EACH = 6
/** Changes of one's own work that come together are counted together. */
const TOGETHER_MS = 500

const KNOWN = new WeakMap<ConsoleStore, SavedViews>()

export function savedViewsOf(store: ConsoleStore): SavedViews {
  const known = KNOWN.get(store) ?? new SavedViews(store)
  KNOWN.set(store, known)
  return known
}

/** The views that the agent saved and those that are shared with it. They are asked for, since nothing tells of them live. */
export class SavedViews {
  readonly #views = signal<readonly SavedView[] | null>(null)
  readonly #counts = signal<ReadonlyMap<string, Counted>>(new Map())
  readonly #isFailed = signal(false)
  /** Moves on when what this agent works on has changed. */
  readonly #acts = signal(0)
  readonly #tabs: BroadcastChannel
  #watchers = 0
  #round = 0
  #place = 0
  /** Writes that were answered: what was asked before one does not know it. */
  #writes = 0
  #asking: Promise<void> | null = null

  constructor(private readonly store: ConsoleStore) {
    this.#tabs = new BroadcastChannel(`saved-views ${store.user}`)
  }

  /** By name; null until they have come. */
  get views(): ReadonlySignal<readonly SavedView[] | null> {
    return this.#views
  }

  get counts(): ReadonlySignal<ReadonlyMap<string, Counted>> {
    return this.#counts
  }

  /** True if the last question had no answer: what is shown may be old. */
  get isFailed(): ReadonlySignal<boolean> {
    return this.#isFailed
  }

  get acts(): ReadonlySignal<number> {
    return this.#acts
  }

  /** Keeps the names while the page is open. @returns how to stop */
  start(): () => void {
    const visible = (): void => {
      if (document.visibilityState === 'visible') void this.refresh()
    }
    const timer = setInterval(() => {
      this.#round++
      if (this.#watchers > 0 || this.#round % NAMES_EACH === 0) visible()
    }, ROUND_MS)
    this.#tabs.onmessage = () => void this.refresh()
    document.addEventListener('visibilitychange', visible)
    const stopActs = this.#followActs()
    void this.refresh()
    return () => {
      clearInterval(timer)
      stopActs()
      this.#tabs.onmessage = null
      document.removeEventListener('visibilitychange', visible)
    }
  }

  /** Counts them while they are shown. @returns how to stop */
  watch(): () => void {
    if (this.#watchers++ === 0) void this.refresh()
    return () => void this.#watchers--
  }

  /** Reads names, and the counts of those whose turn it is. */
  async refresh(): Promise<void> {
    // What is asked already was asked before this.
    await this.#asking
    this.#asking ??= this.#ask().finally(() => (this.#asking = null))
    await this.#asking
  }

  /** @throws the server's refusal, Unreachable */
  async save(given: Omit<SaveViewMutationVariables, 'key'>): Promise<SavedView> {
    const text = JSON.stringify(given)
    // A repeat of one whose answer was lost is the same one.
    if (this.#sent.text !== text) this.#sent = { text, key: newId() }
    const { saveView } = await this.store.request(SaveViewDocument, { ...given, key: this.#sent.key })
    this.#sent = { text: '', key: '' }
    this.#wrote([...(this.#views.peek() ?? []).filter(({ id }) => id !== saveView.id), saveView])
    this.#drop(saveView.id)
    return saveView
  }

  #sent = { text: '', key: '' }

  /** Deletes one; one that is gone already is deleted. @throws the server's refusal, Unreachable */
  async remove(id: string): Promise<void> {
    try {
      await this.store.request(DeleteViewDocument, { id })
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'NOT_FOUND') throw error
    }
    this.#wrote((this.#views.peek() ?? []).filter((view) => view.id !== id))
  }

  #wrote(views: readonly SavedView[]): void {
    this.#writes++
    this.#views.value = views.toSorted(byName)
    this.#tabs.postMessage('changed')
    void this.refresh()
  }

  #drop(id: string): void {
    this.#counts.value = new Map([...this.#counts.peek()].filter(([each]) => each !== id))
  }

  async #ask(): Promise<void> {
    try {
      const writes = this.#writes
      const views = await this.#read()
      if (writes !== this.#writes) return
      const before = this.#views.peek()
      // Of another filter there is no count yet.
      for (const { id, version } of views)
        if (before?.some((view) => view.id === id && view.version !== version)) this.#drop(id)
      this.#views.value = views.toSorted(byName)
      if (this.#watchers > 0) await this.#count(views)
      this.#isFailed.value = false
    } catch {
      this.#isFailed.value = true
    }
  }

  async #read(): Promise<SavedView[]> {
    const all: SavedView[] = []
    for (let after: string | null = null; ;) {
      const { views }: SavedViewsQuery = await this.store.request(SavedViewsDocument, { after })
      all.push(...views.edges.map(({ node }) => node))
      if (!views.pageInfo.hasNextPage) return all
      after = views.pageInfo.endCursor
    }
  }

  /** Counts those that have no count yet, then as many as one question takes, in turns. */
  async #count(views: readonly SavedView[]): Promise<void> {
    const unknown = views.filter(({ id }) => !this.#counts.peek().has(id))
    for (let from = 0; from < unknown.length; from += COUNTED_MAX)
      await this.#countThese(unknown.slice(from, from + COUNTED_MAX))
    const known = views.filter((view) => !unknown.includes(view))
    if (known.length === 0) return
    if (this.#place >= known.length) this.#place = 0
    await this.#countThese(known.slice(this.#place, (this.#place += COUNTED_MAX)))
  }

  async #countThese(views: readonly SavedView[]): Promise<void> {
    const { savedViewCounts } = await this.store.request(SavedViewCountsDocument, { ids: views.map(({ id }) => id) })
    const at = this.store.session.now()
    const now = new Map(this.#counts.peek())
    for (const { id, count, isMore } of savedViewCounts) now.set(id, { count, isMore, at })
    this.#counts.value = now
  }

  /** Follows the agent's own list, in which is at once what it accepts, closes, labels or puts aside. */
  #followActs(): () => void {
    let last: string | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = effect(() => {
      const mine = this.store.lists.mine.state.value
      if (!mine) return
      const now = JSON.stringify(
        [...mine.values()].map(({ conversation, labels, snoozedUntil }) => [conversation, labels, snoozedUntil]),
      )
      const isFirst = last === null
      if (now === last) return
      last = now
      if (isFirst) return
      clearTimeout(timer)
      timer = setTimeout(() => {
        this.#acts.value++
        if (this.#watchers > 0) void this.refresh()
      }, TOGETHER_MS)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }
}

const byName = (one: SavedView, other: SavedView): number =>
  one.name.localeCompare(other.name, undefined, { numeric: true }) || (one.id < other.id ? -1 : 1)
