import { t } from '../shared/i18n/messages.js'
import { navigate } from '../shared/router.js'
import { Icon } from '../shared/ui/icon.js'
import { useCommand } from './commands/use-command.js'
import { bulk } from './lazy.js'
import { threadPath } from './route.js'
import { useStore } from './store/console-store.js'

/** Says what was just closed, and undoes it, at the foot of the list. */
export function Toast() {
  const { acts } = useStore()
  const closed = acts.closed.value
  const { delivery, thread } = t()
  const undo = (): void => {
    if (!closed) return
    void acts.undoClose()
    navigate(threadPath(closed.id))
  }
  useCommand(
    { id: 'undo-close', label: delivery.undo, icon: 'undo', key: 'alt u', zone: 'anywhere', run: undo },
    closed !== null,
  )
  const Bulk = bulk.value?.BulkToast
  return (
    <div class="toast-at" role="status">
      {Bulk && <Bulk />}
      {closed && (
        <p class="toast">
          <Icon name="check" />
          <span class="grow">{thread.closedToast(closed.name)}</span>
          <button class="link" data-command="undo-close" onClick={undo}>
            {delivery.undo} <kbd aria-hidden="true">Alt U</kbd>
          </button>
        </p>
      )}
    </div>
  )
}
