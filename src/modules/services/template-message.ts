import { isId } from '../../platform/db/clock.js'
import { BadUserInput, NotFound, quoteValue, Unprocessable } from '../../platform/errors.js'
import { isAbsent, parseFields, parseText, parseUrl, pathOf } from '../../platform/input.js'
import { isPlainObject, type JsonObject } from '../../platform/json.js'
import { isSendable, VARIABLE, variablesOf, type MessageTemplateRow, type TemplateHeader } from './message-template.js'

/** A template in a message, as the client gives it. */
export interface GivenTemplate {
  id: string
  values: Record<string, string>
  /** Address of the file that the header shows. */
  header: string | null
}

/** A template in a stored message: all that sending it needs. */
export interface SentTemplate {
  id: string
  name: string
  language: string
  /** Values of the variables in the header and in the body, in the order of the text. */
  headerValues: [name: string, value: string][]
  bodyValues: [name: string, value: string][]
  header: { type: TemplateHeader; link: string } | null
}

const VALUES_MAX = 50
const VALUE_CHARS_MAX = 1_024
const FILES: readonly (TemplateHeader | null)[] = ['IMAGE', 'VIDEO', 'DOCUMENT']

/** @throws BadUserInput naming the field and the value */
export function parseTemplate(given: unknown, field: string): GivenTemplate | null {
  if (isAbsent(given)) return null
  const { id, values, header } = parseFields(given, field, ['id', 'values', 'header'])
  if (!isId(id)) throw new BadUserInput(pathOf(field, 'id'), `${field}.id must be an ID, not ${quoteValue(id)}`)
  const at = pathOf(field, 'values')
  if (!isAbsent(values) && !isPlainObject(values)) {
    throw new BadUserInput(at, `${at} must be an object of names and texts, not ${quoteValue(values)}`)
  }
  const pairs = Object.entries(isAbsent(values) ? {} : (values as object))
  if (pairs.length > VALUES_MAX)
    throw new BadUserInput(at, `${at} has ${pairs.length} values; ${VALUES_MAX} are allowed`)
  return {
    id: id.toLowerCase(),
    values: Object.fromEntries(pairs.map(([name, value]) => [name, parseValue(value, `${at}.${name.slice(0, 60)}`)])),
    header: isAbsent(header) ? null : parseUrl(header, pathOf(field, 'header'), ['http', 'https']),
  }
}

/** Providers refuse line ends, tabs and more than four spaces in a value. */
function parseValue(value: unknown, field: string): string {
  const text = parseText(value, field, { min: 1, max: VALUE_CHARS_MAX })
  if (text.trim() === '') throw new BadUserInput(field, `${field} must not be blank`)
  if (/[\p{Cc}\p{Zl}\p{Zp}]| {5,}/u.test(text)) {
    throw new BadUserInput(field, `${field} must be one line, without tabs and without more than 4 spaces in a row`)
  }
  return text
}

/**
 * Checks a template against what is stored of it, and renders it.
 * @param service the service that the message names, if any
 * @throws NotFound, BadUserInput; Unprocessable for one that the provider does not take now
 */
export function renderTemplate(
  template: MessageTemplateRow | null,
  given: GivenTemplate,
  service: string | null,
): { text: string; sent: SentTemplate } {
  if (!template) throw new NotFound(`template.id: Template ${quoteValue(given.id)} not found`, { field: 'template.id' })
  const { id, name, language, status, reason } = template
  if (service !== null && service !== template.serviceId) {
    throw new BadUserInput('template.id', `template.id ${id} is a template of another service than the message's`)
  }
  if (!isSendable(template)) {
    const why = status === 'approved' ? 'needs what only the provider can fill in' : `is ${status}`
    throw new Unprocessable(`the template ${quoteValue(name)} ${why}${reason ? `: ${reason}` : ''}`, {
      reason: 'TEMPLATE_NOT_APPROVED',
      status,
    })
  }
  const wanted = variablesOf(template)
  const missing = wanted.find((variable) => !Object.hasOwn(given.values, variable))
  if (missing !== undefined)
    throw new BadUserInput(`template.values.${missing}`, `template.values.${missing} is missing`)
  const surplus = Object.keys(given.values).find((variable) => !wanted.includes(variable))
  if (surplus !== undefined) {
    const field = `template.values.${surplus.slice(0, 60)}`
    throw new BadUserInput(field, `${field} is no variable of the template, which has ${wanted.join(', ') || 'none'}`)
  }
  return {
    text: [template.headerText, template.body, template.footer]
      .filter((each) => each !== null && each !== '')
      .map((text) => text!.replaceAll(VARIABLE, (_, variable: string) => given.values[variable]!))
      .join('\n\n'),
    sent: {
      id,
      name,
      language,
      headerValues: valuesIn(template.headerText ?? '', given),
      bodyValues: valuesIn(template.body, given),
      header: headerOf(template, given),
    },
  }
}

function valuesIn(text: string, { values }: GivenTemplate): [string, string][] {
  const names = new Set([...text.matchAll(VARIABLE)].map(([, name]) => name!))
  // Numbered ones are given by their place.
  const inOrder = [...names].toSorted((a, b) => (Number(a) || 0) - (Number(b) || 0))
  return inOrder.map((name) => [name, values[name]!])
}

function headerOf({ header: type }: MessageTemplateRow, { header: link }: GivenTemplate): SentTemplate['header'] {
  if (type !== null && FILES.includes(type)) {
    if (link === null)
      throw new BadUserInput('template.header', `template.header is missing: the template shows a file (${type})`)
    return { type, link }
  }
  if (link === null) return null
  throw new BadUserInput(
    'template.header',
    'template.header is for a template that shows a file, which this one does not',
  )
}

/** Returns the template of a stored message; null for one of its own words. Only the server sets this key. */
export function sentTemplateOf({ meta }: { meta: JsonObject | null }): SentTemplate | null {
  const sent = meta?._template
  return isPlainObject(sent) ? (sent as unknown as SentTemplate) : null
}
