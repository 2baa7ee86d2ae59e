import { LinearExpression } from '../../platform/content/linear-expression.js'
import { parseEmailAddress, parseTelephone } from '../contacts/identifiers.js'
import { assertNever, BadUserInput, quoteValue } from '../../platform/errors.js'
import { isAbsent, parseList, parseText, parseUrl } from '../../platform/input.js'
import { isPlainObject } from '../../platform/json.js'
import type { FormField } from './form-field.js'

/** A number, a boolean, the list of a multiselect; else a text. */
export type FormValue = string | number | boolean | string[]
/** Field keys to values, each in the form of {@link checkField}. */
export type FormValues = Readonly<Record<string, FormValue>>

/** The parts of a form that its values are checked against. */
export interface FormShape {
  name: string
  fields: readonly FormField[]
}

interface CheckOptions {
  /** Country of the organization, for national phone numbers; see `countryOf`. */
  country?: string | null
  /** Path of the value in the input, for messages; default: the field's key. */
  at?: string
}

const TEXT_CHARS_MAX = 2_000
const TEXTAREA_CHARS_MAX = 20_000

/**
 * Validates a value for one field of a form and returns it as stored. Accepts text for every type, since `field`
 * messages contain text (`.age 42`): numbers and booleans are parsed, the choices of a multiselect are separated by
 * commas.
 * @returns null when the value clears the field: null, a blank text, an empty list
 * @throws BadUserInput naming the field and the value
 */
export function checkField(form: FormShape, key: string, value: unknown, options: CheckOptions = {}): FormValue | null {
  const field = form.fields.find((each) => each.key === key)
  const at = options.at ?? key
  if (!field) throw new BadUserInput(at, `${quoteValue(form.name)} has no field ${quoteValue(key)}`)
  return checkFieldValue(field, value, { ...options, at })
}

/** Validates all values of a form; omits those that clear a field. @throws BadUserInput naming field and value */
export function checkValues(form: FormShape, values: unknown, options: CheckOptions = {}): FormValues {
  const at = options.at ?? 'values'
  if (!isPlainObject(values)) throw new BadUserInput(at, `${at} must be an object, not ${quoteValue(values)}`)
  const checked: Record<string, FormValue> = {}
  for (const [key, value] of Object.entries(values)) {
    const kept = checkField(form, key, value, { ...options, at: `${at}.${key.slice(0, 100)}` })
    if (kept !== null) checked[key] = kept
  }
  return checked
}

/**
 * Tells whether every required field has a value, and at least one field has: an untouched form is not completed (4.8).
 */
export function isComplete(form: FormShape, values: FormValues): boolean {
  return missingFields(form, values).length === 0 && form.fields.some(({ key }) => hasValue(values, key))
}

/** Returns the keys of required fields without a value. */
export function missingFields(form: FormShape, values: FormValues): string[] {
  return form.fields.filter(({ key, required }) => required && !hasValue(values, key)).map(({ key }) => key)
}

/** Like {@link checkField}, for a known field. */
export function checkFieldValue(
  field: FormField,
  value: unknown,
  { at = field.key, country = null }: CheckOptions = {},
): FormValue | null {
  if (isCleared(value)) return null
  switch (field.type) {
    case 'text':
      return checkText(field, parseText(value, at, { max: TEXT_CHARS_MAX }), at)
    case 'textarea':
      return checkText(field, parseText(value, at, { max: TEXTAREA_CHARS_MAX }), at)
    case 'email':
      return checkText(field, parseEmailAddress(value, at), at)
    case 'telephone':
      return checkText(field, parseTelephone(value, at, country), at)
    case 'url':
      return checkText(field, parseUrl(value, at, ['http', 'https']), at)
    case 'number':
      return checkNumber(field, value, at)
    case 'date':
      return parseDay(value, at)
    case 'boolean':
      return parseTruth(value, at)
    case 'select':
      return checkOption(field, parseText(value, at), at)
    case 'multiselect':
      return checkOptions(field, value, at)
    default:
      return assertNever(field.type)
  }
}

/** Compiles the expression that a whole value must match. @throws InvalidExpression */
export function compilePattern(pattern: string): LinearExpression {
  // Compiled alone first: `a)|(b` would be valid once it is wrapped.
  void new LinearExpression(pattern)
  return new LinearExpression(`^(?:${pattern})$`)
}

function hasValue(values: FormValues, key: string): boolean {
  return Object.hasOwn(values, key) && !isCleared(values[key])
}

function isCleared(value: unknown): boolean {
  if (isAbsent(value)) return true
  return typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0
}

function checkText({ pattern, min, max }: FormField, text: string, at: string): string {
  const { length } = text
  if (min !== null && length < min) {
    throw new BadUserInput(at, `${at} ${quoteValue(text)} has ${length} characters; at least ${min} are required`)
  }
  if (max !== null && length > max) {
    throw new BadUserInput(at, `${at} ${quoteValue(text)} has ${length} characters; at most ${max} are allowed`)
  }
  if (pattern !== null && !compilePattern(pattern).test(text, TEXTAREA_CHARS_MAX)) {
    throw new BadUserInput(at, `${at} ${quoteValue(text)} does not match ${pattern}`)
  }
  return text
}

function checkNumber({ min, max }: FormField, value: unknown, at: string): number {
  const number = parseNumber(value, at)
  if (min !== null && number < min) throw new BadUserInput(at, `${at} ${number} is less than ${min}`)
  if (max !== null && number > max) throw new BadUserInput(at, `${at} ${number} is greater than ${max}`)
  return number
}

const DECIMAL = /^[+-]?\d{1,30}(?:\.\d{1,30})?$/

function parseNumber(value: unknown, at: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'string' && DECIMAL.test(value.trim())) return Number(value)
  throw new BadUserInput(at, `${at} must be a number, not ${quoteValue(value)}`)
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function parseDay(value: unknown, at: string): string {
  const day = typeof value === 'string' ? value.trim() : ''
  const date = DAY.test(day) ? new Date(`${day}T00:00:00Z`) : null
  // An invalid day, such as 31 February, is parsed as one of the next month.
  if (date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)) return day
  throw new BadUserInput(at, `${at} must be a day such as 2026-12-31, not ${quoteValue(value)}`)
}

function parseTruth(value: unknown, at: string): boolean {
  const truth = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (truth === true || truth === 'true') return true
  if (truth === false || truth === 'false') return false
  throw new BadUserInput(at, `${at} must be true or false, not ${quoteValue(value)}`)
}

function checkOption({ options }: FormField, text: string, at: string): string {
  const option = [text, text.trim()].find((each) => options.includes(each))
  if (option !== undefined) return option
  throw new BadUserInput(
    at,
    `${at} ${quoteValue(text)} is not one of ${options.map(quoteValue).join(', ').slice(0, 300)}`,
  )
}

function checkOptions(field: FormField, value: unknown, at: string): string[] {
  const given = typeof value === 'string' ? textsOf(field, value) : parseList(value, at, field.options.length)
  const chosen = given.map((each, index) => checkOption(field, parseText(each, `${at}[${index}]`), `${at}[${index}]`))
  const { min, max } = field
  const distinct = [...new Set(chosen)]
  if (min !== null && distinct.length < min) {
    throw new BadUserInput(at, `${at} has ${distinct.length} choices; at least ${min} are required`)
  }
  if (max !== null && distinct.length > max) {
    throw new BadUserInput(at, `${at} has ${distinct.length} choices; at most ${max} are allowed`)
  }
  return distinct
}

/** An option itself may contain a comma. */
function textsOf({ options }: FormField, text: string): string[] {
  return options.includes(text.trim()) ? [text.trim()] : text.split(',')
}
