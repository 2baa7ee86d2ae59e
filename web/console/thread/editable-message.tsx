import { t } from '../../shared/i18n/messages.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { Content, isRich } from './content.js'
import { dialogs, Opened } from '../lazy.js'

interface MessageProps {
  message: ThreadMessage
  isNote?: boolean
}

/** A message as everyone sees it, with what can be done with it. */
export function EditableMessage({ message, isNote }: MessageProps) {
  return (
    <>
      {dialogs.value ? (
        <Opened dialog="OwnMessage" message={message} isNote={isNote} />
      ) : isRich(message) ? (
        <Opened dialog="RichContent" message={message} isNote={isNote} />
      ) : (
        <Content message={message} isNote={isNote} />
      )}
      {message.meta?._mail && <Opened dialog="MailLines" message={message} />}
      {message.editedAt && <p class="sent">{t().ownMessage.edited}</p>}
    </>
  )
}
