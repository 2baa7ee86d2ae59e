/** A plan as `/v2` answers it, which leaves out what is null. */
export interface ShownPlan {
  digest: string
  notes: string[]
  changes: {
    section: string
    action: string
    name: string
    fields: { field: string; before?: unknown; after?: unknown }[]
  }[]
}

const SIGNS: Readonly<Record<string, string>> = { create: '+', update: '~', delete: '-' }
const VALUE_CHARS_MAX = 200

/** Shows a plan to people: a line for each record, below it one for each value. */
export function showPlan({ changes, notes }: ShownPlan, verb = 'Planned'): string {
  if (changes.length === 0) return 'Nothing to do.'
  const lines = changes.flatMap(({ section, action, name, fields }) => [
    `${SIGNS[action] ?? action} ${section} ${JSON.stringify(name)}`,
    ...fields.map(({ field, before, after }) =>
      action === 'create' ? `    ${field}: ${shown(after)}` : `    ${field}: ${shown(before)} -> ${shown(after)}`,
    ),
  ])
  const count = (act: string): number => changes.filter(({ action }) => action === act).length
  const sum = `${verb}: ${count('create')} created, ${count('update')} changed, ${count('delete')} deleted.`
  return [...lines, ...notes.map((note) => `! ${note}`), sum].join('\n')
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '(none)'
  const text = JSON.stringify(value)
  return text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX - 1)}…` : text
}
