import type { AdminServicesQuery } from '../../generated/admin.js'
import { linesOf, type FieldSpec, type Values } from './form-dialog.js'
import { words } from './words.js'
import type { AdminWords } from './words/en.js'

export type Service = AdminServicesQuery['services']['edges'][number]['node']

interface Param {
  key: string
  kind?: 'lines'
  /** Makes it a choice; the first one is what counts without any. */
  options?: readonly string[]
  help?: keyof AdminWords['services'] & `${string}Help`
}

interface ServiceKind {
  icon: string
  /** True if a service of it can be tried out. */
  canBeTested?: true
  /** Those that have fields; others are kept as they are. */
  params: readonly Param[]
}

/** Kinds of services, one row each; their words are in the catalogues. Of others, params are edited as JSON. */
const KINDS: Readonly<Record<string, ServiceKind>> = {
  web: {
    icon: 'web',
    params: [
      { key: 'title' },
      { key: 'greeting' },
      { key: 'accent', help: 'accentHelp' },
      { key: 'allowedOrigins', kind: 'lines', help: 'originsHelp' },
    ],
  },
  email: {
    icon: 'mail',
    canBeTested: true,
    params: [
      { key: 'address' },
      { key: 'fromName' },
      { key: 'smtpUrl', help: 'smtpHelp' },
      { key: 'smtpUser' },
      { key: 'smtpPassword', help: 'secretHelp' },
      { key: 'smtpTokenUrl', help: 'tokenHelp' },
      { key: 'smtpClientId' },
      { key: 'smtpClientSecret', help: 'secretHelp' },
      { key: 'smtpRefreshToken', help: 'secretHelp' },
      { key: 'smtpScope' },
      { key: 'authHosts', kind: 'lines', help: 'authHostsHelp' },
      { key: 'unprovedMail', options: ['show', 'conversation', 'refuse'] },
    ],
  },
  mailbox: {
    icon: 'mail',
    canBeTested: true,
    params: [
      { key: 'address' },
      { key: 'fromName' },
      { key: 'access', options: ['imap', 'google', 'microsoft'], help: 'accessHelp' },
      { key: 'host', help: 'hostHelp' },
      { key: 'port', help: 'portHelp' },
      { key: 'user' },
      { key: 'password', help: 'passwordHelp' },
      { key: 'folders', kind: 'lines', help: 'foldersHelp' },
      { key: 'since', help: 'sinceHelp' },
      { key: 'smtpHost', help: 'smtpHostHelp' },
      { key: 'smtpPort', help: 'smtpPortHelp' },
      { key: 'sentFolder', help: 'sentFolderHelp' },
      { key: 'clientId', help: 'clientIdHelp' },
      { key: 'clientSecret', help: 'secretHelp' },
      { key: 'refreshToken', help: 'secretHelp' },
      { key: 'tokenUrl' },
      { key: 'scope' },
      { key: 'authservId', help: 'authservIdHelp' },
      { key: 'unprovedMail', options: ['show', 'conversation', 'refuse'] },
    ],
  },
  sms: {
    icon: 'phone',
    canBeTested: true,
    params: [
      { key: 'accountSid' },
      { key: 'authToken', help: 'secretHelp' },
      { key: 'from', help: 'fromHelp' },
      { key: 'messagingServiceSid' },
    ],
  },
  messenger: {
    icon: 'chat',
    canBeTested: true,
    params: [
      { key: 'pageId' },
      { key: 'pageAccessToken', help: 'secretHelp' },
      { key: 'appSecret', help: 'secretHelp' },
      { key: 'verifyToken', help: 'verifyHelp' },
    ],
  },
  whatsapp: {
    icon: 'chat',
    canBeTested: true,
    params: [
      { key: 'phoneNumberId', help: 'phoneNumberHelp' },
      { key: 'wabaId' },
      { key: 'accessToken', help: 'secretHelp' },
      { key: 'appSecret', help: 'secretHelp' },
      { key: 'verifyToken', help: 'verifyHelp' },
    ],
  },
  telegram: {
    icon: 'chat',
    canBeTested: true,
    params: [
      { key: 'botToken', help: 'botTokenHelp' },
      { key: 'receive', options: ['webhook', 'poll'], help: 'receiveHelp' },
      { key: 'webhookSecret', help: 'webhookSecretHelp' },
    ],
  },
  webhook: {
    icon: 'hook',
    canBeTested: true,
    params: [
      { key: 'url' },
      { key: 'events', kind: 'lines', help: 'eventsHelp' },
      { key: 'secret', help: 'secretHelp' },
    ],
  },
  events: { icon: 'hook', params: [{ key: 'events', kind: 'lines', help: 'eventsHelp' }] },
  feed: { icon: 'hook', params: [] },
}

export const iconOf = ({ type }: Service): string => KINDS[type]?.icon ?? 'link'

export const canBeTested = ({ type }: Service): boolean => KINDS[type]?.canBeTested ?? false

/** The fields of a service's params; of a kind that is not known here, all of them as JSON. */
export function paramFields({ type, params }: Service): FieldSpec[] {
  const known = KINDS[type]?.params
  if (!known) {
    const { params: label, paramsHelp: help } = words.services
    return [{ name: 'params', label, kind: 'json', help, value: JSON.stringify(params, null, 2) }]
  }
  return known.map(({ key, kind, options, help }) => {
    const value = params[key]
    const text = Array.isArray(value) ? value.join('\n') : String(value ?? options?.[0] ?? '')
    return {
      name: key,
      label: words.services.paramNames[key] ?? key,
      ...(options
        ? {
            kind: 'select' as const,
            options: options.map((each) => [each, words.services.paramOptions[each]!] as const),
          }
        : { kind }),
      help: help && words.services[help],
      value: text,
    }
  })
}

/** The params to store: those of the fields, and the others as they are. @throws Error for what is no JSON */
export function paramsOf({ type, params }: Service, values: Values): Record<string, unknown> {
  const known = KINDS[type]?.params
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
