import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { KeyWords } from './key-words.js'

/** The keys of what can be done now, and those of the composer. */
export function Help({ close }: { close(): void }) {
  useActWords()
  const words = catalogue.help
  const { commands } = useStore()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const keyed = commands.list.value.filter(({ key }) => key)
  return (
    <dialog ref={dialog} class="dialog help" aria-labelledby="help-title" onClose={close}>
      <header class="head">
        <h2 id="help-title">{t().help.title}</h2>
        <button class="btn ghost icon push" aria-label={t().close} onClick={() => dialog.current?.close()}>
          <Icon name="x" />
        </button>
      </header>
      {/* It scrolls: the arrow keys need the focus there. */}
      <div class="pad" tabIndex={0} autofocus>
        <dl class="keys">
          {keyed.map(({ id, label, key }) => (
            <div key={id}>
              <dt>{label}</dt>
              <dd>
                <KeyWords of={key!} />
              </dd>
            </div>
          ))}
          {words.composer.map(([label, key]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <KeyWords of={key} />
              </dd>
            </div>
          ))}
        </dl>
        <p class="hint">{words.off}</p>
      </div>
    </dialog>
  )
}
