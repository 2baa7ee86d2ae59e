import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '../shared/i18n/messages.js'
import { Dialog } from '../shared/ui/dialog.js'
import { ErrorHint } from '../shared/ui/error-hint.js'

interface RequestDialogProps {
  title: string
  icon: string
  /** Label of the button that submits; default: the title. */
  label?: string
  /** Label while the request is running. */
  busyLabel?: string
  tone: 'primary' | 'danger'
  /** True if there is something to send; default: true. */
  isReady?: boolean
  /** Sends the request. */
  submit(): Promise<unknown>
  /** @param isDone whether the request has succeeded */
  close(isDone: boolean): void
  children: ComponentChildren
}

/** A dialog that sends one request at a time, closes after its success, and shows its error. */
export function RequestDialog(props: RequestDialogProps) {
  const { title, icon, label = title, busyLabel = label, tone, isReady = true, submit, close, children } = props
  const cancel = (): void => close(false)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const send = (): void => {
    if (isBusy || !isReady) return
    setBusy(true)
    setFault(null)
    submit().then(
      () => close(true),
      (error: Error) => {
        setFault(error.message)
        setBusy(false)
      },
    )
  }
  return (
    <Dialog
      title={title}
      icon={icon}
      close={cancel}
      submit={send}
      footer={
        <>
          <button type="button" class="btn" onClick={cancel}>
            {t().cancel}
          </button>
          <button class={`btn ${tone}`} aria-disabled={isBusy || !isReady}>
            {isBusy ? busyLabel : label}
          </button>
        </>
      }
    >
      {children}
      <ErrorHint text={fault} />
    </Dialog>
  )
}
