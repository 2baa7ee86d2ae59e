import { duration } from '../../shared/i18n/format.js'
import { Icon } from '../../shared/ui/icon.js'
import { LabelChips } from '../labels/label-chips.js'
import { useStore } from '../store/console-store.js'
import type { Choices, DraftStep } from './draft-steps.js'
import { words } from './words.js'

interface FieldsProps {
  id: string
  step: DraftStep
  choices: Choices
  change(patch: Partial<DraftStep>): void
}

const MINUTE_MS = 60_000

/** The fields of a step, as its sentence needs them. */
export function StepFields(props: FieldsProps) {
  switch (props.step.kind) {
    case 'REPLY':
    case 'NOTE':
      return <TextField {...props} />
    case 'LABELS':
      return (
        <div class="line-fields">
          <LabelPicker {...props} side="add" label={words.putOn} />
          <LabelPicker {...props} side="remove" label={words.takeOff} />
        </div>
      )
    case 'CATEGORY':
      return <CategoryField {...props} />
    case 'FORM':
      return <FormField {...props} />
    case 'SNOOZE':
      return <SnoozeField {...props} />
    case 'HAND_OVER':
      return <HandOverFields {...props} />
    case 'CLOSE':
      return null
  }
}

function TextField({ id, step, change }: FieldsProps) {
  return (
    <div class="field">
      <label for={id}>{words.text}</label>
      <textarea
        class="in"
        id={id}
        rows={3}
        required
        maxLength={5_000}
        dir="auto"
        value={step.text ?? ''}
        onInput={(event) => change({ text: event.currentTarget.value })}
      />
      {step.kind === 'REPLY' && <p class="hint">{words.placeholders}</p>}
    </div>
  )
}

function LabelPicker({ id, step, change, side, label }: FieldsProps & { side: 'add' | 'remove'; label: string }) {
  const { labels } = useStore().organization
  const chosen = step[side] ?? []
  const taken = [...(step.add ?? []), ...(step.remove ?? [])]
  const offered = [...labels.value.values()].filter((each) => each.archivedAt === null && !taken.includes(each.id))
  return (
    <div class="field">
      <label for={`${id}-${side}`}>{label}</label>
      <select
        class="in"
        id={`${id}-${side}`}
        value=""
        onChange={(event) => change({ [side]: [...chosen, event.currentTarget.value] })}
      >
        <option value="">{words.chooseLabel}</option>
        {offered.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
      </select>
      <div class="labels">
        {chosen.flatMap((of) => {
          const known = labels.value.get(of)
          return (
            <span key={of} class="line tight">
              <LabelChips labels={known ? [known] : []} />
              <button
                type="button"
                class="btn ghost icon small"
                aria-label={words.dropLabel(known?.name ?? of)}
                onClick={() => change({ [side]: chosen.filter((each) => each !== of) })}
              >
                <Icon name="x" size="s" />
              </button>
            </span>
          )
        })}
      </div>
    </div>
  )
}

function CategoryField({ id, step, choices, change }: FieldsProps) {
  const names = [...new Set([...(step.category ? [step.category] : []), ...choices.categories])]
  return (
    <Select
      id={id}
      label={words.category}
      value={step.category ?? ''}
      options={names.map((name) => [name, name])}
      choose={(category) => change({ category })}
    />
  )
}

function FormField({ id, step, choices, change }: FieldsProps) {
  const known: [string, string][] = step.form ? [[step.form, step.name ?? words.gone]] : []
  const forms = new Map([...known, ...choices.forms.map((form): [string, string] => [form.id, form.name])])
  return (
    <Select
      id={id}
      label={words.form}
      value={step.form ?? ''}
      options={[...forms]}
      choose={(form) => change({ form, name: forms.get(form) ?? null })}
    />
  )
}

function SnoozeField({ id, step, change }: FieldsProps) {
  const value = step.until ?? (step.minutes == null ? '' : String(step.minutes))
  const options = Object.entries(words.snoozes)
  if (value !== '' && !(value in words.snoozes))
    options.push([value, words.during(duration(Number(value) * MINUTE_MS))])
  return (
    <Select
      id={id}
      label={words.snooze}
      value={value}
      options={options}
      choose={(next) => {
        const minutes = Number(next)
        change(
          Number.isInteger(minutes) ? { minutes, until: null } : { minutes: null, until: next as DraftStep['until'] },
        )
      }}
    />
  )
}

function HandOverFields({ id, step, choices, change }: FieldsProps) {
  const value = step.user ? `user ${step.user}` : step.channel ? `channel ${step.channel}` : ''
  const { people, channels } = choices
  const isKnown = [...people, ...channels].some((each) => each.id === (step.user ?? step.channel))
  const choose = (next: string): void => {
    const [kind, of] = next.split(' ')
    const name = [...people, ...channels].find((each) => each.id === of)?.name ?? null
    change({ user: kind === 'user' ? of! : null, channel: kind === 'channel' ? of! : null, name })
  }
  return (
    <>
      <div class="field">
        <label for={id}>{words.to}</label>
        <select class="in" id={id} required value={value} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">{words.choose}</option>
          {value && !isKnown && <option value={value}>{step.name ?? words.gone}</option>}
          <optgroup label={words.people}>
            {people.map((each) => (
              <option key={each.id} value={`user ${each.id}`}>
                {each.name}
              </option>
            ))}
          </optgroup>
          <optgroup label={words.queues}>
            {channels.map((each) => (
              <option key={each.id} value={`channel ${each.id}`}>
                {each.name}
              </option>
            ))}
          </optgroup>
        </select>
      </div>
      <div class="field">
        <label for={`${id}-note`}>{words.noteToNext}</label>
        <textarea
          class="in"
          id={`${id}-note`}
          rows={2}
          maxLength={5_000}
          dir="auto"
          value={step.note ?? ''}
          onInput={(event) => change({ note: event.currentTarget.value })}
        />
      </div>
    </>
  )
}

interface SelectProps {
  id: string
  label: string
  value: string
  options: readonly (readonly [value: string, name: string])[]
  choose(value: string): void
}

export function Select({ id, label, value, options, choose }: SelectProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select class="in" id={id} required value={value} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{words.choose}</option>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
