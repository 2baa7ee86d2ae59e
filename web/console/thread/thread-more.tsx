import { useRef } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { Icon } from '../../shared/ui/icon.js'
import { KeyWords } from '../commands/key-words.js'
import type { Command } from '../store/commands.js'
import { useStore } from '../store/console-store.js'

/** In this order, as far as they can be done now. */
const OFFERED = ['macro', 'label', 'snooze', 'hand-over', 'follow', 'back-to-queue', 'copy', 'block', 'why']

/** Offers all for which the head of a conversation has no room. */
export function ThreadMore({ close }: { close(): void }) {
  const { commands } = useStore()
  const chosen = useRef<Command | null>(null)
  const offered = OFFERED.flatMap((id) => commands.list.value.findLast((each) => each.id === id) ?? [])
  // It gives the focus back before the next dialog takes it.
  const closed = (): void => {
    close()
    chosen.current?.run()
  }
  return (
    <Dialog title={t().nav.more} icon="dots" close={closed}>
      <ul class="choices">
        {offered.map((command, index) => (
          <li key={command.id}>
            <button
              type="button"
              class="choice"
              autofocus={index === 0}
              onClick={(event) => {
                chosen.current = command
                event.currentTarget.closest('dialog')!.close()
              }}
            >
              <Icon name={command.icon} />
              <span class="grow">{command.label}</span>
              {command.key && <KeyWords of={command.key} />}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
