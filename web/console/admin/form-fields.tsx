import type { AdminFormsQuery, FormFieldInput, FormFieldType } from '../../generated/admin.js'
import { newId } from '@switchboard/client'
import { Icon } from '../../shared/ui/icon.js'
import { linesOf } from './form-dialog.js'
import { words } from './words.js'

type Field = AdminFormsQuery['forms']['edges'][number]['node']['fields'][number]

/** A field as it is being edited; what is not shown, such as its pattern, stays as it is. */
export interface Question {
  /** Identifies it on this page alone. */
  row: string
  stored: Field | null
  label: string
  type: FormFieldType
  isRequired: boolean
  /** One a line. */
  options: string
}

export function questionOf(field: Field): Question {
  const { label, type, required, options } = field
  return { row: newId(), stored: field, label, type, isRequired: required, options: options.join('\n') }
}

export function newQuestion(): Question {
  return { row: newId(), stored: null, label: '', type: 'TEXT', isRequired: false, options: '' }
}

export function inputsOf(questions: readonly Question[]): FormFieldInput[] {
  return questions.map(({ stored, label, type, isRequired, options }) => ({
    ...(stored && keptOf(stored, type)),
    label,
    type,
    required: isRequired,
    options: hasOptions(type) ? linesOf(options) : [],
  }))
}

/** A default or a pattern of another type would be refused. */
function keptOf({ id, key, placeholder, profileField, type, ...rest }: Field, now: FormFieldType): FormFieldInput {
  const { default: initial, pattern, min, max } = rest
  return { id, key, placeholder, profileField, ...(type === now && { default: initial, pattern, min, max }) }
}

function hasOptions(type: FormFieldType): boolean {
  return type === 'SELECT' || type === 'MULTISELECT'
}

interface FormFieldsProps {
  questions: readonly Question[]
  set(questions: readonly Question[]): void
}

/** A question that is moved, removed or added is a change like what is typed: the dialog asks before it discards it. */
function tellOfButton({ target, currentTarget }: Event): void {
  if (!(target as Element).closest('button')) return
  currentTarget!.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The questions of a form, in their order. */
export function FormFields({ questions, set }: FormFieldsProps) {
  const own = words.forms
  const change = (row: string, changed: Partial<Question>): void =>
    set(questions.map((each) => (each.row === row ? { ...each, ...changed } : each)))
  const move = (from: number, by: number): void => {
    const moved = [...questions]
    moved.splice(from + by, 0, ...moved.splice(from, 1))
    set(moved)
  }
  return (
    <section class="stack" aria-label={own.fields} onClick={tellOfButton}>
      <h3>{own.fields}</h3>
      {questions.map(({ row, label, type, isRequired, options }, index) => (
        <fieldset key={row} class="box pad stack">
          <legend class="vh">{own.field(index + 1)}</legend>
          <div class="line">
            <input
              class="in grow"
              aria-label={own.question(index + 1)}
              placeholder={own.ask}
              required
              dir="auto"
              value={label}
              onInput={(event) => change(row, { label: event.currentTarget.value })}
            />
            <select
              class="in fit"
              aria-label={own.type(index + 1)}
              value={type}
              onChange={(event) => change(row, { type: event.currentTarget.value as FormFieldType })}
            >
              {Object.entries(own.types).map(([each, name]) => (
                <option key={each} value={each}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          {hasOptions(type) && (
            <textarea
              class="in"
              rows={3}
              dir="auto"
              aria-label={own.options(index + 1)}
              placeholder={own.optionsHelp}
              value={options}
              onInput={(event) => change(row, { options: event.currentTarget.value })}
            />
          )}
          <div class="line">
            <label class="check">
              <input
                type="checkbox"
                checked={isRequired}
                onChange={(event) => change(row, { isRequired: event.currentTarget.checked })}
              />
              {own.required}
            </label>
            <button
              type="button"
              class="btn ghost small push"
              aria-label={own.up(index + 1)}
              disabled={index === 0}
              onClick={() => move(index, -1)}
            >
              ↑
            </button>
            <button
              type="button"
              class="btn ghost small"
              aria-label={own.down(index + 1)}
              disabled={index === questions.length - 1}
              onClick={() => move(index, 1)}
            >
              ↓
            </button>
            <button
              type="button"
              class="btn ghost small danger"
              aria-label={own.removeField(index + 1)}
              onClick={() => set(questions.filter((each) => each.row !== row))}
            >
              <Icon name="x" size="s" />
            </button>
          </div>
        </fieldset>
      ))}
      <button type="button" class="btn small" onClick={() => set([...questions, newQuestion()])}>
        <Icon name="plus" size="s" />
        {own.addField}
      </button>
    </section>
  )
}
