import { effect } from '@preact/signals'
import { Refused, type LiveEvent } from '@switchboard/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import {
  ContactNoteDocument,
  ContactTimelineDocument,
  type ContactTimelineQuery,
  type TimelineKind,
} from '../../generated/contacts.js'
import { CONTACT_CHANGES } from '../../shared/live/record-changes.js'
import { useStore } from '../store/console-store.js'

export type Entry = ContactTimelineQuery['contactTimeline']['edges'][number]['node']
type Page = ContactTimelineQuery['contactTimeline']

/** Entries of a timeline that are shown, newest first. */
export interface Shown {
  entries: readonly Entry[]
  /** Leads to earlier entries; null if there are none. */
  cursor: string | null
}

/** While the page is looked at: what no event tells, such as a conversation that begins. */
const POLL_MS = 15_000

/** The timeline that was left for a conversation, to be as it was on the way back. */
export const left: { of: string; shown: Shown; top: number; key: string } = {
  of: '',
  shown: { entries: [], cursor: null },
  top: 0,
  key: '',
}

/**
 * Keeps the timeline of a contact: the newest entries are asked for again when something of it changes, and join those that were
 * loaded before; earlier ones are loaded when they are asked for.
 */
export function useTimeline(contact: string, kinds: TimelineKind[] | null, kept: Shown | null) {
  const store = useStore()
  const asked = JSON.stringify(kinds)
  const [known, set] = useState<{ of: string; shown: Shown | null }>({ of: asked, shown: kept })
  const [error, setError] = useState<Error | null>(null)
  const [isLoading, setLoading] = useState(false)
  const [round, turn] = useState(0)
  const shown = known.of === asked ? known.shown : null
  const current = useRef(asked)
  current.current = asked
  const refresh = (): void => turn((last) => last + 1)
  const change = (by: (shown: Shown | null) => Shown | null): void =>
    set((now) => (current.current === asked ? { of: asked, shown: by(now.of === asked ? now.shown : null) } : now))

  useEffect(() => {
    const stop = new AbortController()
    store.request(ContactTimelineDocument, { contact, kinds, after: null }, stop.signal).then(
      ({ contactTimeline }) => {
        setError(null)
        change((before) => withNewest(before, contactTimeline))
      },
      (fault: Error) => stop.signal.aborted || setError(fault),
    )
    return () => stop.abort()
  }, [contact, asked, round])
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && refresh(), POLL_MS)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    const heard = (event: LiveEvent): void => {
      const { noteId: id } = event as { noteId?: string | null }
      if (!id) return refresh()
      // One that changed may stand far below the newest, which are asked for again for one that is new.
      store.request(ContactNoteDocument, { id }).then(
        ({ contactNote: note }) => {
          if (note) change((before) => before && withNote(before, note))
          refresh()
        },
        (fault: Error) => {
          const isGone = fault instanceof Refused && fault.code === 'NOT_FOUND'
          if (isGone) change((before) => before && withoutNote(before, id))
          else refresh()
        },
      )
    }
    const changes = store.live.open(CONTACT_CHANGES, { contact }, heard)
    let beginnings = changes.state.peek()
    const stop = effect(() => {
      if (changes.state.value === beginnings) return
      beginnings = changes.state.value
      refresh()
    })
    return () => {
      stop()
      changes.close()
    }
  }, [contact, asked])

  const more = (): void => {
    if (isLoading || !shown?.cursor) return
    setLoading(true)
    store.request(ContactTimelineDocument, { contact, kinds, after: shown.cursor }).then(
      ({ contactTimeline }) => {
        setLoading(false)
        setError(null)
        change((before) => before && withEarlier(before, contactTimeline))
      },
      (fault: Error) => {
        setLoading(false)
        setError(fault)
      },
    )
  }
  return { shown, error, isLoading, more: shown?.cursor ? more : undefined, refresh }
}

const entriesOf = ({ edges }: Page): Entry[] => edges.map(({ node }) => node)
const cursorOf = ({ pageInfo }: Page): string | null => (pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null)

/** Puts the newest page in the place of what it covers. What was pushed out of it stays below. */
export function withNewest(before: Shown | null, page: Page): Shown {
  const newest = entriesOf(page)
  const last = newest.at(-1)
  if (!before || !last || !page.pageInfo.hasNextPage) return { entries: newest, cursor: cursorOf(page) }
  const keys = new Set(newest.map(({ key }) => key))
  const below = before.entries.filter(({ key, at }) => !keys.has(key) && isBelow({ key, at }, last))
  if (below.length === 0) return { entries: newest, cursor: cursorOf(page) }
  // Between the page and what was known there may be others, if more came than a page holds.
  const isJoined = before.entries.some(({ key }) => keys.has(key))
  return isJoined
    ? { entries: [...newest, ...below], cursor: before.cursor }
    : { entries: newest, cursor: cursorOf(page) }
}

const isBelow = (one: Pick<Entry, 'key' | 'at'>, other: Entry): boolean =>
  one.at === other.at ? one.key < other.key : one.at < other.at

function withEarlier(before: Shown, page: Page): Shown {
  const keys = new Set(before.entries.map(({ key }) => key))
  const earlier = entriesOf(page).filter(({ key }) => !keys.has(key))
  return { entries: [...before.entries, ...earlier], cursor: cursorOf(page) }
}

const withoutNote = ({ entries, cursor }: Shown, id: string): Shown => ({
  entries: entries.filter(({ note }) => note?.id !== id),
  cursor,
})

const withNote = ({ entries, cursor }: Shown, note: NonNullable<Entry['note']>): Shown => ({
  entries: entries.map((entry) => (entry.note?.id === note.id ? { ...entry, note } : entry)),
  cursor,
})
