/** Returns the beginning of a day in the browser's zone, or of one so many days later. */
export function beginningOf(date: string, daysAfter = 0): string {
  const at = new Date(`${date}T00:00:00`)
  at.setDate(at.getDate() + daysAfter)
  return at.toISOString()
}

interface DayFieldProps {
  label: string
  value: string
  set(value: string): void
  grows?: boolean
}

export function DayField({ label, value, set, grows = false }: DayFieldProps) {
  return (
    <label class={grows ? 'field grow' : 'field'}>
      <span>{label}</span>
      <input class="in" type="date" value={value} onInput={(event) => set(event.currentTarget.value)} />
    </label>
  )
}
