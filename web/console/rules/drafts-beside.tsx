import { useState } from 'preact/hooks'
import { CancelWorkflowPublicationDocument, type AdminDraftFragment } from '../../generated/workflows.js'
import { dayTime } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { useDraftDiff } from './publish-dialog.js'
import { RulesDiff } from './rules-diff.js'
import { words } from './words.js'

interface DraftsBesideProps {
  workflow: string
  mine: AdminDraftFragment | null
  /** Drafts of other administrators. */
  others: readonly AdminDraftFragment[]
  changed(): void
  /** Puts another's rules in place of one's own. */
  take(draft: AdminDraftFragment): void
  /** Goes on with one's own rules on those that run now. */
  keepMine(): void
  failed(error: Error): void
}

/** Says what is planned and what was refused, and who else has a draft. */
export function DraftsBeside({ workflow, mine, others, changed, take, keepMine, failed }: DraftsBesideProps) {
  const store = useStore()
  const [shown, show] = useState<AdminDraftFragment | null>(null)
  const now = store.now.value
  const nameOf = ({ user }: AdminDraftFragment): string => user?.displayName ?? words.somebody
  const unplan = ({ id, version }: AdminDraftFragment): void =>
    void store.request(CancelWorkflowPublicationDocument, { draft: id, ifVersion: version }).then(changed, failed)
  return (
    <>
      {mine?.refusal && (
        <p class="band bad" role="alert">
          <Icon name="alert" />
          <span title={mine.refusal.message}>{words.refused[mine.refusal.reason]}</span>
        </p>
      )}
      {mine?.isOutdated && (
        <p class="band warn" role="status">
          <Icon name="alert" />
          {words.outdated}
          <button class="btn small push" onClick={() => show(mine)}>
            {words.compare}
          </button>
          <button class="btn small" onClick={keepMine}>
            {words.keepMine}
          </button>
        </p>
      )}
      {mine?.publishAt && (
        <p class="band" role="status">
          <Icon name="clock" />
          {words.planned(dayTime(mine.publishAt, now))}
          <button class="btn small push" onClick={() => unplan(mine)}>
            {words.unplan}
          </button>
        </p>
      )}
      {others.map((draft) => (
        <p key={draft.id} class="band" role="status">
          <Icon name={draft.publishAt ? 'clock' : 'user'} />
          <bdi>
            {draft.publishAt
              ? words.plannedBy(nameOf(draft), dayTime(draft.publishAt, now))
              : words.othersDraft(nameOf(draft), dayTime(draft.updatedAt, now))}
          </bdi>
          <button class="btn small push" onClick={() => show(draft)}>
            {words.look}
          </button>
          {draft.publishAt && (
            <button class="btn small" onClick={() => unplan(draft)}>
              {words.unplan}
            </button>
          )}
        </p>
      ))}
      {shown && (
        <DraftDialog
          workflow={workflow}
          draft={shown}
          title={shown.id === mine?.id ? words.compareTitle : words.othersTitle(nameOf(shown))}
          take={shown.id === mine?.id ? undefined : () => take(shown)}
          close={() => show(null)}
        />
      )}
    </>
  )
}

interface DraftDialogProps {
  workflow: string
  draft: AdminDraftFragment
  title: string
  take: (() => void) | undefined
  close(): void
}

function DraftDialog({ workflow, draft, title, take, close }: DraftDialogProps) {
  const diff = useDraftDiff(workflow, draft.id)
  return (
    <Dialog
      title={title}
      icon="route"
      close={close}
      footer={
        <>
          <button type="button" class="btn" onClick={close}>
            {t().close}
          </button>
          {take && (
            <button
              type="button"
              class="btn primary"
              onClick={() => {
                take()
                close()
              }}
            >
              {words.take}
            </button>
          )}
        </>
      }
    >
      {diff && <RulesDiff diff={diff} />}
    </Dialog>
  )
}
