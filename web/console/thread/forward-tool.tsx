import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { ForwardDocument, FilesOfMailDocument } from '../../generated/beside.js'
import { fileSize } from '../../shared/i18n/format.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { Icon } from '../../shared/ui/icon.js'
import { newId } from '@switchboard/client'
import { useActWords, words as catalogue } from '../acts/words.js'
import { RequestDialog } from '../request-dialog.js'
import { useStore } from '../store/console-store.js'

/** The button that forwards a message to people outside. */
export function ForwardTool({ message }: { message: ThreadMessage }) {
  useActWords()
  const [isOpen, open] = useState(false)
  const words = catalogue.forward
  return (
    <>
      <button
        class="btn ghost icon small"
        aria-label={words.tool}
        title={words.tool}
        aria-haspopup="dialog"
        onClick={() => open(true)}
      >
        <Icon name="forward" size="s" />
      </button>
      {isOpen && <ForwardDialog message={message} close={() => open(false)} />}
    </>
  )
}

interface File {
  fileName: string
  size: number
}

function ForwardDialog({ message, close }: { message: ThreadMessage; close(): void }) {
  const store = useStore()
  const words = catalogue.forward
  const id = useId()
  const [to, setTo] = useState('')
  const [note, setNote] = useState('')
  // What is changed after an attempt is another request.
  const key = useMemo(newId, [to, note])
  const files = useFiles(message)
  const addresses = to.split(/[\s,;]+/).filter((each) => each !== '')
  const isInternal = message.isBackchannel || message.role === 'BOT'
  const submit = (): Promise<unknown> =>
    store.request(ForwardDocument, {
      ...{ message: message.id, to: addresses, note: note.trim() || null, evenIfInternal: isInternal },
      key,
    })
  return (
    <RequestDialog
      title={words.title}
      icon="forward"
      label={words.send}
      tone="primary"
      isReady={addresses.length > 0}
      submit={submit}
      close={close}
    >
      {isInternal && (
        <p class="band warn">
          <Icon name="lock" />
          {words.internal}
        </p>
      )}
      <div class="field">
        <label for={`${id}to`}>{words.to}</label>
        <input
          class="in"
          id={`${id}to`}
          type="text"
          inputMode="email"
          autocomplete="off"
          aria-describedby={`${id}help`}
          required
          autofocus
          value={to}
          onInput={(event) => setTo(event.currentTarget.value)}
        />
        <p class="hint" id={`${id}help`}>
          {words.toHelp}
        </p>
      </div>
      <div class="field">
        <label for={`${id}note`}>{words.note}</label>
        <textarea
          class="in"
          id={`${id}note`}
          rows={4}
          dir="auto"
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </div>
      {files.length > 0 && (
        <div class="field">
          <p class="b">{words.files}</p>
          {files.map(({ fileName, size }, index) => (
            <p key={index} class="line tight">
              <Icon name="clip" size="s" />
              <bdi>{fileName}</bdi> <span class="mute">{fileSize(size)}</span>
            </p>
          ))}
        </div>
      )}
    </RequestDialog>
  )
}

/** Its own file, and those of the same mail, which are messages after it. */
function useFiles({ id, attachment }: ThreadMessage): readonly File[] {
  const store = useStore()
  const own = attachment ? [attachment] : []
  const [others, set] = useState<readonly File[]>([])
  const conversation = store.opened.value?.id
  useEffect(() => {
    const stop = new AbortController()
    if (conversation)
      store.request(FilesOfMailDocument, { conversation }, stop.signal).then(
        (found) => {
          const all = found.conversation?.messages.edges ?? []
          set(all.flatMap(({ node }) => (node.meta?._partOf === id && node.attachment ? [node.attachment] : [])))
        },
        // They go with it all the same.
        () => undefined,
      )
    return () => stop.abort()
  }, [id, conversation])
  return [...own, ...others]
}
