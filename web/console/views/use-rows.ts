import { useEffect, useState } from 'preact/hooks'
import { ViewPageDocument, type ViewPageQuery } from '../../generated/views.js'
import type { InboxRow } from '../../shared/live/entries.js'
import { useAllPages } from '../lists/use-all-pages.js'
import { useStore } from '../store/console-store.js'
import type { Asked } from './filters.js'

type Node = ViewPageQuery['conversations']['edges'][number]['node']

/** The rows of a view, and when they were asked for. */
export function useRows(asked: Asked) {
  const store = useStore()
  const { data, rows, more, error, refresh } = useAllPages(
    ViewPageDocument,
    asked,
    ({ conversations }) => conversations,
  )
  const [at, setAt] = useState<number | null>(null)
  useEffect(() => {
    if (data) setAt(store.session.now())
  }, [data])
  // A row that has moved meanwhile may be on two pages.
  const seen = rows && new Map(rows.map((node) => [node.id, rowOf(node)] as const))
  return { rows: seen && [...seen.values()], more, error, at, refresh }
}

/** As a row of the agent's own lists has it. */
function rowOf(node: Node): InboxRow {
  const { id, organizationId, contact, labelIds, myParticipant, closedAt, lastMessageAt, ...rest } = node
  return {
    ...rest,
    conversation: id,
    organization: organizationId,
    contactName: contact?.profile.name ?? null,
    labels: labelIds,
    lastMessageAt: closedAt ?? lastMessageAt,
    unreadCount: myParticipant?.unreadCount ?? 0,
    active: myParticipant?.active ?? false,
    accepted: myParticipant?.accepted ?? false,
    follow: myParticipant?.follow ?? false,
    nextDue: null,
    awaitsAnswer: false,
    reason: null,
  }
}
