import { isId } from '../../platform/db/clock.js'
import { assertNever, BadUserInput, quoteValue } from '../../platform/errors.js'
import {
  isAbsent,
  mismatch,
  parseFields,
  parseInteger,
  parseList,
  parseOneOf,
  parseText,
} from '../../platform/input.js'
import { recordNotFound } from '../../platform/lists/fetch-record.js'
import { MacroStepKindEnum, SnoozeUntilEnum, type MacroStepKind, type Step, type StepOf } from './macro-step.js'

const STEPS_MAX = 10
export const STEP_TEXT_CHARS_MAX = 5_000
const LABELS_MAX = 20
const CATEGORY_CHARS_MAX = 200
/** A year, as far as a conversation can be put aside. */
const MINUTES_MAX = 365 * 24 * 60

const FIELDS = [
  'kind',
  'text',
  'add',
  'remove',
  'category',
  'form',
  'minutes',
  'until',
  'user',
  'channel',
  'note',
] as const
type Field = (typeof FIELDS)[number]
type Given = Partial<Record<Field, unknown>>

/** The fields of each kind: any other would have no effect. */
const FIELDS_OF: Readonly<Record<MacroStepKind, readonly Field[]>> = {
  reply: ['text'],
  note: ['text'],
  labels: ['add', 'remove'],
  category: ['category'],
  form: ['form'],
  snooze: ['minutes', 'until'],
  handOver: ['user', 'channel', 'note'],
  close: [],
}
const KINDS = Object.values(MacroStepKindEnum)
const ENDING: ReadonlySet<MacroStepKind> = new Set<MacroStepKind>(['snooze', 'handOver', 'close'])

/** Tells whether nothing can follow a step: it puts the conversation aside, or ends the caller's part in it. */
export const isEnding = (step: { kind: string }): boolean => ENDING.has(step.kind as MacroStepKind)

/**
 * Parses the steps of a macro: 1 to 10, of which the last alone may snooze, hand over or close. What they name is not looked up,
 * see `checkSteps`.
 * @throws BadUserInput naming the field: `steps[1].text`
 */
export function parseSteps(value: unknown, field = 'steps'): Step[] {
  const list = parseList(value, field, STEPS_MAX)
  if (list.length === 0) throw new BadUserInput(field, `${field} must have at least one step`, 'MISSING_VALUE')
  const steps = list.map((each, index) => parseStep(each, `${field}[${index}]`))
  for (const [index, step] of steps.entries()) {
    const at = `${field}[${index}].kind`
    if (isEnding(step) && index < steps.length - 1)
      throw new BadUserInput(at, `${at}: ${nameOf(step.kind)} can only be the last step`)
    if (step.kind === 'category' && steps.findIndex(({ kind }) => kind === 'category') < index)
      throw new BadUserInput(at, `${at}: a step before sets the category already`)
  }
  return steps
}

/** The name of a kind in the schema. */
export const nameOf = (kind: MacroStepKind): string =>
  Object.entries(MacroStepKindEnum).find(([, value]) => value === kind)![0]

/** @throws BadUserInput */
export function parseStep(value: unknown, at: string): Step {
  const given: Given = parseFields(value instanceof Object ? { ...value } : value, at, FIELDS)
  const kind = parseOneOf(given.kind, `${at}.kind`, KINDS)
  for (const key of FIELDS) {
    if (key === 'kind' || given[key] === undefined || FIELDS_OF[kind].includes(key)) continue
    throw new BadUserInput(`${at}.${key}`, `${at}.${key} has no effect in a step ${nameOf(kind)}`)
  }
  switch (kind) {
    case 'reply':
    case 'note':
      return { kind, text: parseBody(given.text, `${at}.text`) }
    case 'labels':
      return parseLabels(given, at)
    case 'category':
      return { kind, category: parseText(given.category, `${at}.category`, { min: 1, max: CATEGORY_CHARS_MAX }) }
    case 'form':
      return { kind, form: parseId('Form', given.form, `${at}.form`), name: '' }
    case 'snooze':
      return parseSnooze(given, at)
    case 'handOver':
      return parseHandOver(given, at)
    case 'close':
      return { kind }
    default:
      return assertNever(kind)
  }
}

function parseLabels(given: Given, at: string): StepOf<'labels'> {
  const [add, remove] = (['add', 'remove'] as const).map((key) => [
    ...new Set(
      isAbsent(given[key])
        ? []
        : parseList(given[key], `${at}.${key}`, LABELS_MAX).map((id, index) =>
            parseId('Label', id, `${at}.${key}[${index}]`),
          ),
    ),
  ]) as [string[], string[]]
  if (add.length + remove.length === 0)
    throw new BadUserInput(`${at}.add`, `${at} needs labels to add or to remove`, 'MISSING_VALUE')
  const both = remove.findIndex((id) => add.includes(id))
  if (both >= 0)
    throw new BadUserInput(`${at}.remove[${both}]`, `${at}.remove[${both}] names a label that add names too`)
  return { kind: 'labels', add, remove }
}

function parseSnooze({ minutes, until }: Given, at: string): StepOf<'snooze'> {
  if (isAbsent(minutes) === isAbsent(until))
    throw new BadUserInput(`${at}.minutes`, `${at} needs either minutes or until`, 'MISSING_VALUE')
  return {
    kind: 'snooze',
    minutes: isAbsent(minutes) ? null : parseInteger(minutes, `${at}.minutes`, 1, MINUTES_MAX),
    until: isAbsent(until) ? null : parseOneOf(until, `${at}.until`, Object.values(SnoozeUntilEnum)),
  }
}

function parseHandOver({ user, channel, note }: Given, at: string): StepOf<'handOver'> {
  if (isAbsent(user) === isAbsent(channel))
    throw new BadUserInput(`${at}.user`, `${at} needs either user or channel`, 'MISSING_VALUE')
  return {
    kind: 'handOver',
    user: isAbsent(user) ? null : parseId('User', user, `${at}.user`),
    channel: isAbsent(channel) ? null : parseId('Channel', channel, `${at}.channel`),
    note: isAbsent(note) ? null : parseBody(note, `${at}.note`),
    name: '',
  }
}

function parseBody(value: unknown, field: string): string {
  const text = parseText(value, field, { max: STEP_TEXT_CHARS_MAX })
  if (text.trim() === '') throw new BadUserInput(field, `${field} must not be blank`, 'MISSING_VALUE')
  return text
}

/**
 * Parses the id of a record that is looked up later, into lower case.
 * @throws BadUserInput for what is no text
 * @throws NotFound for what no record can have as its id
 */
export function parseId(name: string, value: unknown, field: string): string {
  if (typeof value !== 'string') throw mismatch(field, value, 'must be an id')
  if (!isId(value)) throw recordNotFound(name, quoteValue(value), field)
  return value.toLowerCase()
}
