import type { LiveEvent } from '@switchboard/client'
import { useEffect } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { useCommand } from '../commands/use-command.js'
import { threadPath } from '../route.js'
import { useStore } from '../store/console-store.js'
import type { BulkNotice } from '../../shared/live/entries.js'
import { cancel, dismiss, isUnderWay, look, shownRun, undo, type Run } from './bulk-runs.js'
import { useBulkWords, words } from './words.js'

/** Says how far the run is, and what became of it; stops and undoes it. */
export function BulkToast() {
  useBulkWords()
  const store = useStore()
  const shown = shownRun.value
  const isUndoable = shown?.isUndoable === true
  useEffect(() => {
    store.bulkChanged = (event) => void look(store, (event as LiveEvent & BulkNotice).runId)
  }, [store])
  useCommand(
    {
      id: 'undo-bulk',
      label: t().delivery.undo,
      icon: 'undo',
      key: 'alt u',
      zone: 'anywhere',
      run: () => void undo(store),
    },
    isUndoable,
  )
  if (!shown) return null
  const { run, fault } = shown
  const turned = run.state === 'UNDOING' ? run.undone + run.kept : run.done + run.skipped + run.failed
  const total = run.state === 'UNDOING' ? run.done : run.total
  return (
    <div class="toast bulk-toast">
      <span class="grow">
        {isUnderWay(run) ? (
          <>
            {run.state === 'UNDOING' ? words.undoing(turned, total) : words.going(turned, total)}
            <progress max={total} value={turned} aria-label={words.going(turned, total)} />
          </>
        ) : (
          <>
            {outcome(run)}
            {run.refusals.length > 0 && <Refusals run={run} />}
          </>
        )}
        {fault && <span role="alert"> {fault}</span>}
      </span>
      {run.state === 'RUNNING' && (
        <button class="link" onClick={() => void cancel(store)}>
          {words.stop}
        </button>
      )}
      {isUndoable && (
        <button class="link" data-command="undo-bulk" onClick={() => void undo(store)}>
          {t().delivery.undo} <kbd aria-hidden="true">Alt U</kbd>
        </button>
      )}
      {!isUnderWay(run) && (
        <button class="link" aria-label={words.dismiss} title={words.dismiss} onClick={dismiss}>
          <Icon name="x" />
        </button>
      )}
    </div>
  )
}

/** "9 done, 3 skipped" */
function outcome(run: Run): string {
  const parts =
    run.state === 'UNDONE'
      ? [words.undone(run.undone), ...(run.kept > 0 ? [words.kept(run.kept)] : [])]
      : [
          words.done(run.done),
          ...(run.skipped > 0 ? [words.skipped(run.skipped)] : []),
          ...(run.failed > 0 ? [words.failed(run.failed)] : []),
        ]
  return parts.join(', ')
}

/** Lists the conversations that stayed as they were, by the reason. */
function Refusals({ run }: { run: Run }) {
  const said = run.refusals.filter(({ isKept }) => isKept === (run.state === 'UNDONE'))
  const groups = Map.groupBy(said, ({ reason, message }) => words.reasons[reason] ?? message)
  return (
    <>
      {': '}
      {[...groups.keys()].join('; ')}
      <details class="plain">
        <summary>{words.why}</summary>
        {[...groups].map(([reason, refusals]) => (
          <div key={reason}>
            <b>{reason}</b>
            <ul>
              {refusals.map(({ conversationId, conversation }) => (
                <li key={conversationId}>
                  {conversation ? (
                    <a href={threadPath(conversation.slug || conversationId)}>
                      <bdi>{conversation.contact?.profile.name || conversation.name || t().list.anonymous}</bdi>
                    </a>
                  ) : (
                    '–'
                  )}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </details>
    </>
  )
}
