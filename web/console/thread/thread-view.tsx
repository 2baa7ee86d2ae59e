import { useEffect } from 'preact/hooks'
import { MarkReadDocument } from '../../shared/graphql/conversations.js'
import type { Thread, ThreadFrame } from '../../shared/live/thread.js'
import { Composer } from '../composer/composer.js'
import { useOffice, type Office } from '../office.js'
import type { ListName } from '../route.js'
import { Log } from './log.js'
import { OfflineBand } from './offline-band.js'
import { ThreadHead } from './thread-head.js'

interface ThreadViewProps {
  thread: Thread
  frame: ThreadFrame
  list: ListName
  showPanel(): void
}

/** The head, what was said, and the box to answer in. */
export function ThreadView({ thread, frame, list, showPanel }: ThreadViewProps) {
  const office = useOffice()
  useMarkRead(office, thread)
  return (
    <main class="col thread" id="main" tabIndex={-1}>
      <ThreadHead thread={frame} list={list} showPanel={showPanel} />
      <OfflineBand />
      <Log key={thread.conversation.id} thread={thread} name={frame.name} />
      <Composer key={`composer ${thread.conversation.id}`} thread={frame} />
    </main>
  )
}

/** Marks messages as read on the server, only while they are visible. */
function useMarkRead(office: Office, { conversation, messages, participants }: Thread): void {
  const last = messages.at(-1)?.id
  const unread = participants.find(({ userId }) => userId === office.user)?.unreadCount ?? 0
  useEffect(() => {
    if (!last || unread === 0) return
    const mark = (): void => {
      if (document.visibilityState !== 'visible' || !document.hasFocus()) return
      void office.request(MarkReadDocument, { conversation: conversation.id, message: last }).catch(() => undefined)
    }
    const timer = setTimeout(mark, 300)
    addEventListener('focus', mark)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', mark)
    }
  }, [office, conversation.id, last, unread])
}
