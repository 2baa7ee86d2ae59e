import type { AdminServicesQuery } from '../../shared/graphql/admin.js'
import { linesOf, type FieldSpec, type Values } from './form-dialog.js'
import { words } from './words.js'
import type { AdminWords } from './words/en.js'

export type Service = AdminServicesQuery['services']['edges'][number]['node']

interface Param {
  key: string
  kind?: 'lines'
  help?: keyof AdminWords['services'] & `${string}Help`
}

/** The params that each kind of service has; others are kept as they are. */
const PARAMS: Readonly<Record<string, readonly Param[]>> = {
  web: [
    { key: 'title' },
    { key: 'greeting' },
    { key: 'accent', help: 'accentHelp' },
    { key: 'allowedOrigins', kind: 'lines', help: 'originsHelp' },
  ],
  email: [
    { key: 'address' },
    { key: 'fromName' },
    { key: 'smtpUrl', help: 'smtpHelp' },
    { key: 'smtpUser' },
    { key: 'smtpPassword', help: 'secretHelp' },
  ],
  sms: [
    { key: 'accountSid' },
    { key: 'authToken', help: 'secretHelp' },
    { key: 'from', help: 'fromHelp' },
    { key: 'messagingServiceSid' },
  ],
  messenger: [
    { key: 'pageId' },
    { key: 'pageAccessToken', help: 'secretHelp' },
    { key: 'appSecret', help: 'secretHelp' },
    { key: 'verifyToken', help: 'verifyHelp' },
  ],
  webhook: [
    { key: 'url' },
    { key: 'events', kind: 'lines', help: 'eventsHelp' },
    { key: 'secret', help: 'secretHelp' },
  ],
}

/** The fields of a service's params; of a kind that is not known here, all of them as JSON. */
export function paramFields({ type, params }: Service): FieldSpec[] {
  const known = PARAMS[type]
  if (!known) {
    const { params: label, paramsHelp: help } = words.services
    return [{ name: 'params', label, kind: 'json', help, value: JSON.stringify(params, null, 2) }]
  }
  return known.map(({ key, kind, help }) => {
    const value = params[key]
    const text = Array.isArray(value) ? value.join('\n') : String(value ?? '')
    return {
      name: key,
      label: words.services.paramNames[key] ?? key,
      kind,
      help: help && words.services[help],
      value: text,
    }
  })
}

/** The params to store: those of the fields, and the others as they are. @throws Error for what is no JSON */
export function paramsOf({ type, params }: Service, values: Values): Record<string, unknown> {
  const known = PARAMS[type]
  if (!known) {
    try {
      return JSON.parse(values.params as string) as Record<string, unknown>
    } catch (error) {
      throw new Error(`${words.services.badJson}: ${(error as Error).message}`, { cause: error })
    }
  }
  const next: Record<string, unknown> = { ...params }
  for (const { key, kind } of known) {
    const text = (values[key] as string).trim()
    const lines = linesOf(text)
    if (kind === 'lines' ? lines.length === 0 : text === '') delete next[key]
    else next[key] = kind === 'lines' ? lines : text
  }
  return next
}
