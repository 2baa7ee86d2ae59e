import { useEffect, useState } from 'preact/hooks'
import { StepChoicesDocument, type MacroStepInput } from '../../generated/macros.js'
import { useStore } from '../store/console-store.js'
import type { Step } from './macros-of.js'

/** A step while it is edited; `key` stays with it when it is moved. */
export interface DraftStep extends Step {
  key: number
}

let keys = 0

export const draftOf = (step: Step): DraftStep => ({ ...step, key: ++keys })

const EMPTY: Omit<Step, 'kind'> = {
  ...{ text: null, add: null, remove: null, category: null, form: null, minutes: null, until: null },
  ...{ user: null, channel: null, note: null, name: null },
}

export const newStep = (kind: Step['kind']): DraftStep =>
  draftOf({ ...EMPTY, kind, ...(kind === 'SNOOZE' && { until: 'TOMORROW' as const }) })

/** As the server takes it: with the fields of its kind alone. */
export function inputOf(step: DraftStep): MacroStepInput {
  const given = Object.entries({ ...step, note: step.note?.trim() || null }).filter(
    ([key, value]) => !OWN.has(key) && value !== null && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(given) as unknown as MacroStepInput
}

/** Fields that the server does not take. */
const OWN: ReadonlySet<string> = new Set(['key', 'name'])

interface Named {
  id: string
  name: string
}

/** The records that steps can name. */
export interface Choices {
  categories: readonly string[]
  forms: readonly Named[]
  people: readonly Named[]
  channels: readonly Named[]
}

const NOTHING = { categories: [], forms: [], people: [] }

export function useChoices(): Choices {
  const store = useStore()
  const [choices, setChoices] = useState<Omit<Choices, 'channels'>>(NOTHING)
  useEffect(() => {
    const stop = new AbortController()
    store.request(StepChoicesDocument, {}, stop.signal).then(
      ({ me, agentStates }) => {
        const categories = me.organization?.categories ?? []
        const forms = new Map(categories.flatMap((each) => each.forms).map((form) => [form.id, form]))
        setChoices({
          categories: categories.map(({ name }) => name),
          forms: [...forms.values()],
          people: agentStates
            .flatMap(({ userId, user }) => (user ? [{ id: userId, name: user.displayName }] : []))
            .toSorted((a, b) => a.name.localeCompare(b.name)),
        })
      },
      () => undefined,
    )
    return () => stop.abort()
  }, [store])
  return { ...choices, channels: store.organization.channels.value ?? [] }
}
