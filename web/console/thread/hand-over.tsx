import { useState } from 'preact/hooks'
import { HandOverDocument } from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import type { Thread } from '../../shared/live/thread.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { Icon } from '../../shared/ui/icon.js'
import { useOffice } from '../office.js'

/** To a colleague, who has it at once, or back to the queue of a channel; with a note. */
export function HandOver({ thread, close }: { thread: Thread; close(): void }) {
  const office = useOffice()
  const words = t()
  const [to, setTo] = useState('')
  const [note, setNote] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const colleagues = office.colleagues.value
  const channels = office.channels.value ?? []

  const submit = (): void => {
    if (isBusy || to === '') return
    const [kind, id] = to.split(' ')
    setBusy(true)
    const target = kind === 'user' ? { user: id } : { channel: id }
    const input = { conversation: thread.conversation.id, ...target, note: note.trim() || null }
    office.request(HandOverDocument, input).then(close, (error: Error) => {
      setFault(error.message)
      setBusy(false)
    })
  }
  return (
    <Dialog
      title={words.thread.handOver}
      icon="hand"
      close={close}
      submit={submit}
      footer={
        <>
          <button type="button" class="btn" onClick={close}>
            {words.cancel}
          </button>
          <button class="btn primary" aria-disabled={isBusy || to === ''}>
            {words.thread.handOver}
          </button>
        </>
      }
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
      {fault && (
        <p class="hint bad" role="alert">
          <Icon name="alert" size="s" />
          {fault}
        </p>
      )}
    </Dialog>
  )
}
