import { useState } from 'preact/hooks'
import { type MessageInput } from '../../generated/conversations.js'
import { SendAllDocument, type CategoryFormsQuery } from '../../generated/beside.js'
import { t } from '../../shared/i18n/messages.js'
import { words as catalogue } from '../acts/words.js'
import { useStore } from '../store/console-store.js'
import { RequestDialog } from '../request-dialog.js'

type Form = NonNullable<NonNullable<CategoryFormsQuery['me']['organization']>['categories']>[number]['forms'][number]
type Field = Form['fields'][number]

export interface FillableForm extends Form {
  values: Record<string, unknown>
  isActive: boolean
}

interface FillFormProps {
  conversation: string
  form: FillableForm
  close(): void
}

/** A form of the category, filled in by the agent: all that changed goes as one batch, whole or not at all (2.12). */
export function FillForm({ conversation, form, close }: FillFormProps) {
  const store = useStore()
  const initial = Object.fromEntries(form.fields.map(({ key }) => [key, textOf(form.values[key])]))
  const [values, setValues] = useState<Record<string, string>>(initial)
  const save = async (): Promise<void> => {
    const messages = messagesOf(form, initial, values)
    if (messages.length > 0) await store.request(SendAllDocument, { conversation, messages })
  }
  return (
    <RequestDialog
      title={form.name}
      icon="form"
      label={t().save}
      busyLabel={catalogue.panel.saving}
      tone="primary"
      submit={save}
      close={close}
    >
      {form.fields.map((field) => (
        <FormInput
          key={field.id}
          field={field}
          value={values[field.key]!}
          set={(value) => setValues({ ...values, [field.key]: value })}
        />
      ))}
    </RequestDialog>
  )
}

function messagesOf(form: FillableForm, before: Record<string, string>, now: Record<string, string>): MessageInput[] {
  const said = { role: 'AGENT', isBackchannel: true } as const
  const changed = form.fields.filter(({ key }) => now[key]!.trim() !== before[key])
  if (changed.length === 0) return []
  const ask: MessageInput[] = form.isActive
    ? []
    : [{ ...said, type: 'FORM', text: `+${form.name}`, meta: { form: form.id } }]
  return [
    ...ask,
    ...changed.map(({ id, key }): MessageInput => {
      return {
        ...said,
        type: 'FIELD',
        text: `.${key} ${now[key]!.trim()}`.trimEnd(),
        meta: { form: form.id, field: id },
      }
    }),
  ]
}

const INPUTS: Partial<Record<Field['type'], string>> = { EMAIL: 'email', TELEPHONE: 'tel', DATE: 'date', URL: 'url' }

function FormInput({ field, value, set }: { field: Field; value: string; set(value: string): void }) {
  const { id, label, type, options, placeholder, required } = field
  const shared = { id: `form-${id}`, class: 'in', dir: 'auto' as const }
  return (
    <div class="field">
      <label for={shared.id}>
        {label} {!required && <span class="mute t2">{catalogue.panel.optional}</span>}
      </label>
      {type === 'TEXTAREA' ? (
        <textarea {...shared} rows={3} value={value} onInput={(event) => set(event.currentTarget.value)} />
      ) : type === 'SELECT' || type === 'BOOLEAN' ? (
        <select {...shared} value={value} onChange={(event) => set(event.currentTarget.value)}>
          <option value="" />
          {(type === 'BOOLEAN' ? ['true', 'false'] : options).map((option) => (
            <option key={option} value={option}>
              {type === 'BOOLEAN' ? catalogue.panel[option === 'true' ? 'yes' : 'no'] : option}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type={(INPUTS[type] ?? 'text') as 'text'}
          inputMode={type === 'NUMBER' ? 'decimal' : undefined}

          placeholder={placeholder ?? (type === 'MULTISELECT' ? options.join(', ') : undefined)}
          value={value}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
    </div>
  )
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value)
}
