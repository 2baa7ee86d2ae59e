interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  of: Readonly<Record<Value, string>>
  set(value: Value): void
}

/** A field to choose one of a few. */
export function Choice<Value extends string>({ label, value, of, set }: ChoiceProps<Value>) {
  return (
    <label class="field">
      {label}
      <select class="in" value={value} onChange={(event) => set(event.currentTarget.value as Value)}>
        {(Object.keys(of) as Value[]).map((each) => (
          <option key={each} value={each}>
            {of[each]}
          </option>
        ))}
      </select>
    </label>
  )
}
