import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../i18n/messages.js'
import { Icon } from './icon.js'

interface DialogProps {
  title: string
  icon?: string
  close(): void
  children: ComponentChildren
  footer?: ComponentChildren
  /** Called with Enter in a field, or the primary button. */
  submit?: () => void
  /** Asked before the cross, Escape or a press outside closes it. */
  mayClose?: () => boolean
}

/** The browser's own modal dialog: it keeps the focus, closes with Escape, and gives the focus back. */
export function Dialog({ title, icon, close, children, footer, submit, mayClose = () => true }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  const leave = (): void => {
    if (mayClose()) dialog.current?.close()
  }
  const cancel = (event: Event): void => {
    if (!mayClose()) event.preventDefault()
  }
  // Where it is pressed, not where it is let go: who selects a text may end outside.
  const pressed = (event: MouseEvent): void => {
    if (event.target === dialog.current) leave()
  }
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={close} onCancel={cancel} onMouseDown={pressed}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit?.()
        }}
      >
        <header class="head">
          {icon && <Icon name={icon} />}
          <h2 id={id}>{title}</h2>
          <button type="button" class="btn ghost icon push" aria-label={t().close} onClick={leave}>
            <Icon name="x" />
          </button>
        </header>
        <div class="pad">{children}</div>
        {footer && <footer>{footer}</footer>}
      </form>
    </dialog>
  )
}
