import { useEffect, useRef, useState } from 'preact/hooks'
import {
  CreateRetentionPolicyDocument,
  PreviewRetentionDocument,
  UpdateRetentionPolicyDocument,
  type AdminRetentionQuery,
  type PreviewRetentionQuery,
  type PreviewRetentionQueryVariables,
} from '../../../generated/retention.js'
import { dayTime } from '../../../shared/i18n/format.js'
import { t } from '../../../shared/i18n/messages.js'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import { RequestDialog } from '../../request-dialog.js'
import { useStore } from '../../store/console-store.js'
import type { Organizations } from '../use-organizations.js'
import { words as admin } from '../words.js'
import { orProposed } from './proposed.js'
import { words } from './words.js'

export type Policy = AdminRetentionQuery['retentionPolicies']['edges'][number]['node']
type Subject = PreviewRetentionQueryVariables['subject']
type Preview = PreviewRetentionQuery['retentionPreview']

const DAYS_DEFAULT = 365
/** Time after the last key, before the server counts. */
const TYPED_MS = 400

interface RetentionDialogProps {
  /** The policy that is changed; null for a new one. */
  present: Policy | null
  organizations: Organizations
  close(isDone: boolean): void
}

/** Makes or changes a term of retention, and shows what it would erase. */
export function RetentionDialog({ present, organizations, close }: RetentionDialogProps) {
  const store = useStore()
  const key = useRef(crypto.randomUUID())
  const [subject, setSubject] = useState<Subject>(present?.subject ?? 'CONVERSATIONS')
  const [organization, setOrganization] = useState(present?.organizationId ?? (organizations.field.value as string))
  const [typed, type] = useState(String(present?.days ?? DAYS_DEFAULT))
  const [isConfirmed, confirm] = useState(false)
  const days = /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : null
  const { preview, fault } = usePreview(subject, days, organization)
  const isShorter = !present || (days !== null && days < present.days)
  // What cannot be counted may be more than half.
  const mustConfirm = isShorter && (preview?.needsConfirmation === true || fault !== null)
  const own = words.retention
  const submit = () => {
    const confirmed = mustConfirm && isConfirmed
    return orProposed(
      present
        ? store.request(UpdateRetentionPolicyDocument, {
            id: present.id,
            patch: { days: days!, confirmed, ifVersion: present.version },
          })
        : store.request(CreateRetentionPolicyDocument, {
            input: { subject, days: days!, organization, confirmed },
            key: key.current,
          }),
    )
  }
  return (
    <RequestDialog
      title={present ? own.changeTitle : own.makeTitle}
      label={present ? t().save : own.make}
      icon="trash"
      tone={mustConfirm ? 'danger' : 'primary'}
      isReady={days !== null && (preview !== null || fault !== null) && (!mustConfirm || isConfirmed)}
      submit={submit}
      close={close}
    >
      <p>{own.help}</p>
      {!present && (
        <>
          <label class="field">
            <span>{own.what}</span>
            <select class="in" value={subject} onChange={(event) => setSubject(event.currentTarget.value as Subject)}>
              {(Object.keys(own.subjects) as Subject[]).map((each) => (
                <option key={each} value={each}>
                  {own.subjects[each]}
                </option>
              ))}
            </select>
          </label>
          <p class="hint">{own.subjectHelp[subject]}</p>
          <label class="field">
            <span>{admin.organization}</span>
            <select class="in" value={organization} onChange={(event) => setOrganization(event.currentTarget.value)}>
              {organizations.options.map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </>
      )}
      <label class="field">
        <span>{own.afterDays}</span>
        <input
          class="in"
          type="number"
          min={1}
          max={3650}
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
      {preview ? (
        <Shown preview={preview} />
      ) : (
        <p class="mute" role="status">
          {!fault && own.counting}
        </p>
      )}
      <ErrorHint text={fault} />
      {mustConfirm && (
        <label class="check">
          <input type="checkbox" checked={isConfirmed} onChange={(event) => confirm(event.currentTarget.checked)} />
          {own.confirm}
        </label>
      )}
    </RequestDialog>
  )
}

/** Has the server count what would go, once nothing was typed for a moment. */
function usePreview(
  subject: Subject,
  days: number | null,
  organization: string,
): { preview: Preview | null; fault: string | null } {
  const store = useStore()
  const [state, set] = useState<{ preview: Preview | null; fault: string | null }>({ preview: null, fault: null })
  useEffect(() => {
    set({ preview: null, fault: null })
    if (days === null) return undefined
    const stop = new AbortController()
    const timer = setTimeout(() => {
      store.request(PreviewRetentionDocument, { subject, days, organization }, stop.signal).then(
        ({ retentionPreview: preview }) => set({ preview, fault: null }),
        ({ message }: Error) => stop.signal.aborted || set({ preview: null, fault: message }),
      )
    }, TYPED_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [subject, days, organization])
  return state
}

function Shown({ preview: { due, waiting, total, isMore, sample } }: { preview: Preview }) {
  const now = useStore().now.value
  const own = words.retention
  return (
    <section class="stack" aria-label={own.preview}>
      <p role="status">
        <b>{own.due(due, total, isMore)}</b>
        {waiting > 0 && ` ${own.waiting(waiting)}`}
      </p>
      {sample.length > 0 && (
        <ul class="box hits" role="list" aria-label={own.sample}>
          {sample.map(({ id, name, since, holds }) => (
            <li key={id} class="line pad">
              <bdi>{name || id}</bdi>
              <time class="mute t2" dateTime={since}>
                {dayTime(since, now)}
              </time>
              {holds.length > 0 && (
                <span class="tag warn">
                  <bdi>{own.keptBy(holds.map((hold) => hold.name).join(', '))}</bdi>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
