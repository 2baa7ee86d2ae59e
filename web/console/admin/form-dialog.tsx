import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { Refused } from '@switchboard/client'
import { Dialog } from '../../shared/ui/dialog.js'
import { More } from './section.js'
import { faultText, isProposed } from './fault-text.js'
import { words } from './words.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'

export interface FieldSpec {
  name: string
  label: string
  kind?: 'text' | 'email' | 'password' | 'lines' | 'json' | 'select' | 'checks'
  help?: string
  value?: string | readonly string[]
  options?: readonly (readonly [value: string, label: string])[]
  isRequired?: boolean
  /** Loads more options. */
  more?: () => void
}

export type Values = Record<string, string | string[]>

interface FormDialogProps {
  title: string
  fields: readonly FieldSpec[]
  /** Rejects with the server's refusal, which is shown at its field. */
  save(values: Values): Promise<void>
  close(): void
  remove?: { ask: string; run(): Promise<void> }
  /** Something else that can be done with the record; the dialog closes when it is done. */
  extra?: { label: string; run(): Promise<void> }
  /** Id of the record, whose entries in the audit log the dialog leads to; none for a new one. */
  record?: string | undefined
  /** Stands before the fields. */
  before?: ComponentChildren
  /** The part that is no single field. */
  children?: ComponentChildren
}

/** A record's fields in a dialog. A refusal is shown where it belongs, and what was typed stays. */
export function FormDialog({ title, fields, save, close, remove, extra, record, before, children }: FormDialogProps) {
  const [fault, setFault] = useState<{ field: string | null; message: string; isProposed: boolean } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [asks, setAsks] = useState(false)
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(fields.map(({ name, value = '' }) => [name, typeof value === 'string' ? value : [...value]])),
  )
  const isChanged = useRef(false)
  const [isWarned, warn] = useState(false)
  const changed = (): void => {
    isChanged.current = true
    warn(false)
  }
  const mayClose = (): boolean => {
    if (isChanged.current) warn(true)
    return !isChanged.current || isWarned
  }
  const set = (name: string, value: string | string[]): void => setValues((last) => ({ ...last, [name]: value }))
  const attempt = (run: () => Promise<void>): void => {
    if (isBusy || fault?.isProposed) return
    setBusy(true)
    setFault(null)
    run().then(close, (error: Error) => {
      setBusy(false)
      const field = error instanceof Refused ? error.field : null
      setFault({ field, message: faultText(error), isProposed: isProposed(error) })
      // Nothing is lost with the dialog.
      if (isProposed(error)) isChanged.current = false
    })
  }
  const faultOf = (name: string): string | null =>
    fault?.field && fault.field.split(/[.[]/).includes(name) ? fault.message : null
  const isPlaced = fault !== null && fields.some(({ name }) => faultOf(name) !== null)
  return (
    <Dialog
      title={title}
      close={close}
      mayClose={mayClose}
      submit={() => attempt(() => save(values))}
      footer={
        <>
          {remove && (
            <button
              type="button"
              class="btn ghost danger start"
              onClick={() => (asks ? attempt(remove.run) : setAsks(true))}
            >
              {asks ? remove.ask : words.remove}
            </button>
          )}
          {extra && (
            <button type="button" class="btn ghost start" onClick={() => attempt(extra.run)}>
              {extra.label}
            </button>
          )}
          {record && (
            <a class="btn ghost start" href={`/console/admin/audit/${record}`}>
              {words.audit.history}
            </a>
          )}
          <button type="button" class="btn" onClick={close}>
            {t().cancel}
          </button>
          <button class="btn primary" aria-disabled={isBusy || fault?.isProposed}>
            {t().save}
          </button>
        </>
      }
    >
      <div class="stack" onInput={changed}>
        {before}
        {fields.map((field, index) => (
          <Field
            key={field.name}
            field={field}
            isFirst={index === 0}
            value={values[field.name]!}
            set={(value) => set(field.name, value)}
            fault={faultOf(field.name)}
          />
        ))}
        {children}
      </div>
      {isWarned && (
        <p class="hint bad" role="alert">
          {words.unsavedAsk}
        </p>
      )}
      {!isPlaced && <ErrorHint text={fault?.message} />}
    </Dialog>
  )
}

interface FieldProps {
  field: FieldSpec
  /** Has the focus when the dialog opens. */
  isFirst: boolean
  value: string | string[]
  set(value: string | string[]): void
  fault: string | null
}

function Field({ field, isFirst, value, set, fault }: FieldProps) {
  const { name, label, kind = 'text', help, options = [], isRequired, more } = field
  const id = `field-${name}`
  const shared = {
    id,
    class: 'in',
    'aria-invalid': fault !== null,
    'aria-describedby': `${id}-hint`,
    required: isRequired,
    autofocus: isFirst,
  }
  const hint = (
    <p id={`${id}-hint`} class={fault ? 'hint bad' : 'hint'} role={fault ? 'alert' : undefined}>
      {fault ?? help}
    </p>
  )
  if (kind === 'checks') {
    const chosen = new Set(value as string[])
    return (
      <fieldset class="field checks">
        <legend>{label}</legend>
        {options.map(([option, text]) => (
          <label key={option} class="check">
            <input
              type="checkbox"
              checked={chosen.has(option)}
              onChange={(event) =>
                set(event.currentTarget.checked ? [...chosen, option] : [...chosen].filter((each) => each !== option))
              }
            />
            <bdi>{text}</bdi>
          </label>
        ))}
        {options.length === 0 && <p class="mute">{words.none}</p>}
        <More more={more} />
        {hint}
      </fieldset>
    )
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {kind === 'select' ? (
        <select {...shared} value={value as string} onChange={(event) => set(event.currentTarget.value)}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      ) : kind === 'lines' || kind === 'json' ? (
        <textarea
          {...shared}
          class={kind === 'json' ? 'in mono' : 'in'}
          rows={Math.min(10, Math.max(kind === 'json' ? 8 : 2, (value as string).split('\n').length + 1))}
          dir="auto"
          spellcheck={kind !== 'json'}
          value={value as string}
          onInput={(event) => set(event.currentTarget.value)}
        />
      ) : (
        <input
          {...shared}
          type={kind as 'text'}
          autocomplete={kind === 'password' ? 'new-password' : 'off'}
          dir="auto"
          value={value as string}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
      {(fault || help) && hint}
    </div>
  )
}

/** A number as it was typed, null for none. @throws Refused at its field: it would be sent as none */
export function numberIn(field: string, typed: string, help: string): number | null {
  const text = typed.trim()
  if (text === '') return null
  const value = Number(text)
  if (Number.isNaN(value)) throw new Refused(`"${text}": ${help}`, 'BAD_USER_INPUT', field, 0)
  return value
}

/** One a line, without empty ones. */
export function linesOf(value: string | string[] | undefined): string[] {
  return String(value ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
