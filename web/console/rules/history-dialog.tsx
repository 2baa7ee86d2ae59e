import { useEffect, useState } from 'preact/hooks'
import {
  AdminChangeDocument,
  AdminHistoryDocument,
  RestoreWorkflowDocument,
  type AdminHistoryQuery,
  type RulesDiffFragment,
} from '../../generated/workflows.js'
import { dayTime } from '../../shared/i18n/format.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { faultText } from '../admin/fault-text.js'
import { useStore } from '../store/console-store.js'
import { RulesDiff } from './rules-diff.js'
import { words } from './words.js'

type Change = NonNullable<AdminHistoryQuery['workflow']>['history'][number]

interface HistoryDialogProps {
  workflow: { id: string; name: string | null }
  restored(): void
  close(): void
}

const PAGE = 20

/** Shows the changes of a workflow, what each of them changed, and restores any of the states. */
export function HistoryDialog({ workflow: { id, name }, restored, close }: HistoryDialogProps) {
  const store = useStore()
  const [changes, setChanges] = useState<readonly Change[] | null>(null)
  const [version, setVersion] = useState(0)
  const [hasMore, setMore] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const failed = (error: Error): void => setFault(faultText(error))
  const load = (before: number | null): void =>
    void store.request(AdminHistoryDocument, { id, before }).then(({ workflow }) => {
      const history = workflow?.history ?? []
      setChanges((known) => (before === null ? history : [...(known ?? []), ...history]))
      setMore(history.length === PAGE)
      if (workflow) setVersion(workflow.version)
    }, failed)
  useEffect(() => load(null), [id])
  const restore = (number: number): void => {
    setFault(null)
    store.request(RestoreWorkflowDocument, { id, number, ifVersion: version }).then(() => {
      restored()
      close()
    }, failed)
  }
  return (
    <Dialog title={words.historyTitle(name ?? '')} icon="clock" close={close}>
      <div class="stack">
        <ErrorHint text={fault} />
        {changes?.length === 0 && <p class="mid">{words.noHistory}</p>}
        <ol class="stack changes">
          {changes?.map((change, index) => (
            <li key={change.number}>
              <ShownChange
                workflow={id}
                change={change}
                before={changes[index + 1]?.number}
                isPresent={change.number === version}
                restore={() => restore(change.number)}
                failed={failed}
              />
            </li>
          ))}
        </ol>
        {hasMore && (
          <button type="button" class="btn" onClick={() => load(changes!.at(-1)!.number)}>
            {words.earlier}
          </button>
        )}
      </div>
    </Dialog>
  )
}

interface ShownChangeProps {
  workflow: string
  change: Change
  /** Number of the change before it, if that is shown. */
  before: number | undefined
  isPresent: boolean
  restore(): void
  failed(error: Error): void
}

function ShownChange({ workflow, change, before, isPresent, restore, failed }: ShownChangeProps) {
  const store = useStore()
  const [diff, setDiff] = useState<RulesDiffFragment | null>(null)
  const [asks, setAsks] = useState(false)
  const { number, at, kind, comment, restoredFrom, by, userId } = change
  const what = restoredFrom === null ? (kind ? words.kinds[kind] : words.found) : words.restoredFrom(restoredFrom)
  const who = by?.displayName ?? (userId ? words.somebody : kind ? words.system : null)
  const open = (isOpen: boolean): void => {
    if (!isOpen || diff || before === undefined) return
    store
      .request(AdminChangeDocument, { id: workflow, from: before, to: number })
      .then(({ workflowDiff }) => setDiff(workflowDiff), failed)
  }
  return (
    <details onToggle={(event) => open(event.currentTarget.open)}>
      <summary>
        <span class="mono mute">{number}</span>{' '}
        <time dateTime={at} title={new Date(at).toLocaleString()}>
          {dayTime(at, store.now.value)}
        </time>
        , {what}
        {who !== null && (
          <>
            , <bdi>{who}</bdi>
          </>
        )}{' '}
        {isPresent && <span class="tag good">{words.present}</span>}
        {comment && (
          <bdi class="block mid" dir="auto">
            {comment}
          </bdi>
        )}
      </summary>
      <div class="stack">
        {diff && <RulesDiff diff={diff} />}
        {!isPresent && (
          <p>
            <button type="button" class="btn small" onClick={() => (asks ? restore() : setAsks(true))}>
              {asks ? words.restoreAsk(number) : words.restore}
            </button>
          </p>
        )}
      </div>
    </details>
  )
}
