import { useState } from 'preact/hooks'
import {
  AdminDraftDiffDocument,
  PublishWorkflowDraftDocument,
  type AdminDraftFragment,
  type PublishWorkflowDraftMutation,
} from '../../generated/workflows.js'
import { t } from '../../shared/i18n/messages.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { localMinute } from '../acts/snooze-times.js'
import { faultText } from '../admin/fault-text.js'
import { useQuery } from '../admin/use-query.js'
import { useStore } from '../store/console-store.js'
import { RulesDiff } from './rules-diff.js'
import { words } from './words.js'

interface PublishDialogProps {
  workflow: string
  draft: AdminDraftFragment
  /** @param publication its draft is the one that is planned; null once it is published */
  changed(publication: PublishWorkflowDraftMutation['publishWorkflowDraft']): void
  close(): void
}

const HOUR_MS = 3_600_000
const DAYS_MAX = 90

/** Publishes a draft now or at a time, having shown what it changes. */
export function PublishDialog({ workflow, draft, changed, close }: PublishDialogProps) {
  const store = useStore()
  const [comment, setComment] = useState(draft.comment ?? '')
  const [at, setAt] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const diff = useDraftDiff(workflow, draft.id)
  const now = store.session.now()
  const publish = (): void => {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    const time = at === null ? null : new Date(at).toISOString()
    store.request(PublishWorkflowDraftDocument, { workflow, comment, at: time, ifVersion: draft.version }).then(
      ({ publishWorkflowDraft }) => {
        changed(publishWorkflowDraft)
        close()
      },
      (error: Error) => {
        setBusy(false)
        setFault(faultText(error))
      },
    )
  }
  return (
    <Dialog
      title={words.publishTitle}
      icon="route"
      close={close}
      submit={publish}
      footer={
        <>
          <button type="button" class="btn" onClick={close}>
            {t().cancel}
          </button>
          <button class="btn primary" aria-disabled={isBusy}>
            {words.publish}
          </button>
        </>
      }
    >
      <div class="stack">
        <p class="mid">{words.publishHelp}</p>
        {diff && (diff.rules.length > 0 ? <RulesDiff diff={diff} /> : <p class="mute">{words.sameRules}</p>)}
        <div class="field">
          <label for="publish-comment">{words.comment}</label>
          <textarea
            id="publish-comment"
            class="in"
            dir="auto"
            rows={2}
            maxLength={1_000}
            aria-describedby="publish-comment-help"
            value={comment}
            onInput={(event) => setComment(event.currentTarget.value)}
          />
          <p class="hint" id="publish-comment-help">
            {words.commentHelp}
          </p>
        </div>
        <div class="field">
          <span aria-hidden="true">{words.when}</span>
          <span class="seg" role="group" aria-label={words.when}>
            <button type="button" aria-pressed={at === null} onClick={() => setAt(null)}>
              {words.now}
            </button>
            <button type="button" aria-pressed={at !== null} onClick={() => setAt(localMinute(now + HOUR_MS))}>
              {words.later}
            </button>
          </span>
          {at !== null && (
            <input
              class="in"
              type="datetime-local"
              aria-label={words.time}
              required
              min={localMinute(now)}
              max={localMinute(now + DAYS_MAX * 24 * HOUR_MS)}
              value={at}
              onInput={(event) => setAt(event.currentTarget.value)}
            />
          )}
        </div>
        <ErrorHint text={fault} />
      </div>
    </Dialog>
  )
}

/** Returns what a draft changes of the rules that run; null until it is known. */
export function useDraftDiff(workflow: string, draft: string) {
  const { data } = useQuery(AdminDraftDiffDocument, { id: workflow }, 'workflowDraft')
  return data?.workflow?.drafts.find(({ id }) => id === draft)?.diff ?? null
}
