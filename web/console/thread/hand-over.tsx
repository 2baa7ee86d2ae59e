import { useState } from 'preact/hooks'
import { HandOverDocument } from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { useOffice } from '../office.js'
import { RequestDialog } from '../request-dialog.js'

/** To a colleague, who has it at once, or back to the queue of a channel; with a note. */
export function HandOver({ thread, close }: { thread: ThreadFrame; close(): void }) {
  const office = useOffice()
  const words = t()
  const [to, setTo] = useState('')
  const [note, setNote] = useState('')
  const colleagues = office.colleagues.value
  const channels = office.channels.value ?? []

  const submit = (): Promise<unknown> => {
    const [kind, id] = to.split(' ')
    const target = kind === 'user' ? { user: id } : { channel: id }
    const input = { conversation: thread.conversation.id, ...target, note: note.trim() || null }
    return office.request(HandOverDocument, input)
  }
  return (
    <RequestDialog
      title={words.thread.handOver}
      icon="hand"
      tone="primary"
      isReady={to !== ''}
      submit={submit}
      close={close}
    >
      <div class="field">
        <label for="hand-over-to">{words.thread.handOverTo}</label>
        <select
          class="in"
          id="hand-over-to"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
          required
          autofocus
        >
          <option value="" />
          <optgroup label={words.thread.colleagues}>
            {colleagues.map(({ id, displayName }) => (
              <option key={id} value={`user ${id}`}>
                {displayName}
              </option>
            ))}
          </optgroup>
          <optgroup label={words.thread.channels}>
            {channels.map(({ id, name }) => (
              <option key={id} value={`channel ${id}`}>
                {name}
              </option>
            ))}
          </optgroup>
        </select>
        <p class="hint">{words.thread.handOverHelp}</p>
      </div>
      <div class="field">
        <label for="hand-over-note">{words.thread.handOverNote}</label>
        <textarea
          class="in"
          id="hand-over-note"
          rows={3}
          dir="auto"
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </div>
    </RequestDialog>
  )
}
