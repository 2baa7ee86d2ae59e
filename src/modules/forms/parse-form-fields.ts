import { ADDRESS_TEXTS, PROFILE_TEXTS } from '../contacts/contact-profile.js'
import { InvalidExpression } from '../../platform/content/linear-expression.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import {
  isAbsent,
  parseBoolean,
  parseFields,
  parseInteger,
  parseList,
  parseOneOf,
  parseText,
  pathOf,
} from '../../platform/input.js'
import { isPrototypeKey } from '../../platform/json.js'
import { FORM_FIELD_TYPES, FormFieldInput, type FormField, type FormFieldType } from './form-field.js'
import { checkFieldValue, compilePattern } from './validate-form-values.js'

const FIELDS_MAX = 200
const LABEL_CHARS_MAX = 500
const OPTIONS_MAX = 500
const OPTION_CHARS_MAX = 200
const PATTERN_CHARS_MAX = 500
/** Limit for the length of a text and the number of choices. */
const COUNT_MAX = 20_000

const ID = /^[\w-]{1,64}$/
const KEY_MADE_CHARS_MAX = 90
const KEY = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u

const TEXT_TYPES: readonly FormFieldType[] = ['text', 'textarea', 'email', 'telephone', 'url']
const CHOICE_TYPES: readonly FormFieldType[] = ['select', 'multiselect']
const BOUNDED_TYPES: readonly FormFieldType[] = [...TEXT_TYPES, 'number', 'multiselect']

/** Profile fields of a contact that a value can fill (2.12, `key`). */
export const FILLABLE_PROFILE_FIELDS: readonly string[] = [
  ...PROFILE_TEXTS,
  ...ADDRESS_TEXTS.map((key) => `address.${key}`),
]

const INPUT_FIELDS = [
  'id',
  'key',
  'label',
  'name',
  'type',
  'required',
  'options',
  'placeholder',
  'default',
  'pattern',
  'min',
  'max',
  'profileField',
] as const satisfies readonly (keyof FormFieldInput)[]

interface Options {
  /** The fields that are replaced: a field with the same key keeps its id. */
  stored: readonly FormField[]
  newId: () => string
}

/**
 * Parses a client's form fields in their order, and gives each an id.
 * @throws BadUserInput naming the field and the value: `fields[2].options[0]`
 */
export function parseFormFields(value: unknown, field: string, { stored, newId }: Options): FormField[] {
  const ids = new Set<string>()
  const keys = new Set<string>()
  return parseList(value, field, FIELDS_MAX).map((each, index) => {
    const at = `${field}[${index}]`
    const parsed = parseFormField(each, at, { stored, keys })
    const id = parsed.id ?? stored.find(({ key }) => key === parsed.key)?.id ?? newId()
    unique(ids, id, pathOf(at, 'id'))
    unique(keys, parsed.key, pathOf(at, 'key'))
    return { ...parsed, id }
  })
}

function parseFormField(
  value: unknown,
  at: string,
  others: { stored: readonly FormField[]; keys: ReadonlySet<string> },
): Omit<FormField, 'id'> & { id: string | null } {
  // GraphQL passes instances of the input class.
  const given = parseFields(value instanceof FormFieldInput ? { ...value } : value, at, INPUT_FIELDS)
  const named = givenLabel(given, at, others.stored)
  const label = isAbsent(given[named])
    ? null
    : parseText(given[named], `${at}.${named}`, { min: 1, max: LABEL_CHARS_MAX })
  const key = isAbsent(given.key) && label !== null ? keyOfLabel(label, others.keys) : parseKey(given.key, `${at}.key`)
  const type = isAbsent(given.type) ? 'text' : parseOneOf(given.type, `${at}.type`, FORM_FIELD_TYPES)
  const field = {
    id: isAbsent(given.id) ? null : parseId(given.id, `${at}.id`),
    key,
    label: label ?? key,
    type,
    required: isAbsent(given.required) ? false : parseBoolean(given.required, `${at}.required`),
    options: parseOptions(given.options, `${at}.options`, type),
    placeholder: isAbsent(given.placeholder)
      ? null
      : parseText(given.placeholder, `${at}.placeholder`, { max: LABEL_CHARS_MAX }),
    default: null,
    pattern: parsePattern(given.pattern, `${at}.pattern`, type),
    ...parseBounds(given, at, type),
    profileField: parseProfileField(given.profileField, `${at}.profileField`, type),
  }
  return { ...field, default: checkFieldValue({ ...field, id: '' }, given.default, { at: `${at}.default` }) }
}

/**
 * Returns which of the two names of the label counts. Clients that send whole forms back send both and may have changed either: the
 * one that differs from the stored text counts. @throws BadUserInput when both differ from it and from each other
 */
function givenLabel(
  { key, label, name }: Partial<Record<'key' | 'label' | 'name', unknown>>,
  at: string,
  stored: readonly FormField[],
): 'label' | 'name' {
  if (isAbsent(label) || isAbsent(name) || label === name) return isAbsent(label) ? 'name' : 'label'
  const before = stored.find((field) => field.key === key)?.label
  if (label === before) return 'name'
  if (name === before) return 'label'
  throw new BadUserInput(`${at}.name`, `${at}.label and ${at}.name are the same field but were given different texts`)
}

/** Derives a key: `Case_ID` of `Case ID`; with a number if that is taken. */
function keyOfLabel(label: string, taken: ReadonlySet<string>): string {
  const made = label
    .replace(/[^\p{L}\p{N}_.-]+/gu, '_')
    .replace(/^[.-]+/, '')
    .slice(0, KEY_MADE_CHARS_MAX)
  const key = KEY.test(made) && !isPrototypeKey(made) ? made : 'field'
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? key : `${key}_${number}`
    if (!taken.has(numbered)) return numbered
  }
}

function parseKey(value: unknown, at: string): string {
  const key = parseText(value, at)
  if (KEY.test(key) && !isPrototypeKey(key)) return key
  throw new BadUserInput(at, `${at} ${quoteValue(key)} must consist of up to 100 letters, digits, _, - and .`)
}

function parseId(value: unknown, at: string): string {
  const id = parseText(value, at)
  if (ID.test(id) && !isPrototypeKey(id)) return id
  throw new BadUserInput(at, `${at} ${quoteValue(id)} must consist of up to 64 letters, digits, _ and -`)
}

function parseOptions(value: unknown, at: string, type: FormFieldType): string[] {
  const given = isAbsent(value) ? [] : parseList(value, at, OPTIONS_MAX)
  const takesOptions = CHOICE_TYPES.includes(type)
  if (takesOptions && given.length === 0) {
    throw new BadUserInput(at, `${at} must name at least one option for a ${type}`)
  }
  if (!takesOptions && given.length > 0) throw new BadUserInput(at, `${at} are not allowed for a field of type ${type}`)
  const known = new Set<string>()
  return given.map((option, index) => {
    const text = parseText(option, `${at}[${index}]`, { min: 1, max: OPTION_CHARS_MAX }).trim()
    if (text === '') throw new BadUserInput(`${at}[${index}]`, `${at}[${index}] must not be blank`)
    unique(known, text, `${at}[${index}]`)
    return text
  })
}

function parsePattern(value: unknown, at: string, type: FormFieldType): string | null {
  if (isAbsent(value)) return null
  const pattern = parseText(value, at, { min: 1, max: PATTERN_CHARS_MAX })
  if (!TEXT_TYPES.includes(type)) throw new BadUserInput(at, `${at} is not allowed for a field of type ${type}`)
  try {
    compilePattern(pattern)
    return pattern
  } catch (error) {
    if (!(error instanceof InvalidExpression)) throw error
    throw new BadUserInput(at, `${at} ${quoteValue(pattern)} is not a regular expression: ${error.message}`)
  }
}

function parseBounds(
  given: Partial<Record<'min' | 'max', unknown>>,
  at: string,
  type: FormFieldType,
): Pick<FormField, 'min' | 'max'> {
  const [min, max] = (['min', 'max'] as const).map((name) => parseBound(given[name], `${at}.${name}`, type)) as [
    number | null,
    number | null,
  ]
  if (min !== null && max !== null && min > max) {
    throw new BadUserInput(`${at}.max`, `${at}.max ${max} is less than ${at}.min ${min}`)
  }
  return { min, max }
}

function parseBound(value: unknown, at: string, type: FormFieldType): number | null {
  if (isAbsent(value)) return null
  if (!BOUNDED_TYPES.includes(type)) throw new BadUserInput(at, `${at} is not allowed for a field of type ${type}`)
  if (type !== 'number') return parseInteger(value, at, 0, COUNT_MAX)
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new BadUserInput(at, `${at} must be a number, not ${quoteValue(value)}`)
}

function parseProfileField(value: unknown, at: string, type: FormFieldType): string | null {
  if (isAbsent(value)) return null
  if (type === 'multiselect' || type === 'boolean') {
    throw new BadUserInput(at, `${at} is not allowed for a field of type ${type}`)
  }
  return parseOneOf(value, at, FILLABLE_PROFILE_FIELDS)
}

function unique(known: Set<string>, value: string, at: string): void {
  if (known.has(value)) throw new BadUserInput(at, `${at} ${quoteValue(value)} is given twice`)
  known.add(value)
}
