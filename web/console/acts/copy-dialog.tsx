import { useEffect, useState } from 'preact/hooks'
import { AddressOfContactDocument, SendTranscriptDocument } from '../../generated/transcript.js'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { RequestDialog } from '../request-dialog.js'
import { useStore } from '../store/console-store.js'
import { useActWords, words as catalogue } from './words.js'

/** Mails the contact a copy of what it sees of the conversation. */
export function CopyDialog({ thread, close }: { thread: ThreadFrame; close(): void }) {
  useActWords()
  const store = useStore()
  const words = catalogue.copy
  const { id: conversation } = thread.conversation
  /** Undefined until it is known. */
  const [to, setTo] = useState<string | null | undefined>(undefined)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    store.request(AddressOfContactDocument, { conversation }).then(
      (found) => setTo(found.conversation?.contact?.profile.email ?? null),
      (error: Error) => setFault(error.message),
    )
  }, [conversation])
  const submit = (): Promise<unknown> => store.request(SendTranscriptDocument, { conversation, to: to!, code: null })
  return (
    <RequestDialog
      title={t().thread.copy}
      icon="mail"
      label={words.send}
      tone="primary"
      isReady={Boolean(to)}
      submit={submit}
      close={close}
    >
      {to === null ? (
        <p>{words.none}</p>
      ) : (
        <>
          <p>
            {words.to}: <bdi class="b">{to ?? '…'}</bdi>
          </p>
          <p class="hint">{words.help}</p>
          <ErrorHint text={fault} />
        </>
      )}
    </RequestDialog>
  )
}
