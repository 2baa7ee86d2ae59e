import { t } from '../../shared/i18n/messages.js'
import type { Thread } from '../../shared/live/thread.js'

export function contactName(thread: Thread): string {
  const { conversation, messages } = thread
  return (
    conversation.contact?.profile.name ||
    messages.find(({ role, user }) => role === 'CONTACT' && user)?.user?.displayName ||
    t().list.anonymous
  )
}
