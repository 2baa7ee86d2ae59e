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
}

/** The browser's own modal dialog: it keeps the focus, closes with Escape, and gives the focus back. */
export function Dialog({ title, icon, close, children, footer, submit }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  const outside = (event: MouseEvent): void => {
    if (event.target === dialog.current) dialog.current?.close()
  }
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={close} onClick={outside}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit?.()
        }}
      >
        <header class="head">
          {icon && <Icon name={icon} />}
          <h2 id={id}>{title}</h2>
          <button
            type="button"
            class="btn ghost icon push"
            aria-label={t().close}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="x" />
          </button>
        </header>
        <div class="pad">{children}</div>
        {footer && <footer>{footer}</footer>}
      </form>
    </dialog>
  )
}
