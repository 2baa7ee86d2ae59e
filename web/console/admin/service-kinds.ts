import { useEffect, useState } from 'preact/hooks'
import {
  AdminServiceKindsDocument,
  type AdminServiceKindsQuery,
  type AdminServicesQuery,
  type UserLocale,
} from '../../generated/admin.js'
import { locale } from '../../shared/i18n/messages.js'
import { useStore } from '../store/console-store.js'
import { linesOf, type FieldSpec, type Values } from './form-dialog.js'
import { words } from './words.js'

export type Service = AdminServicesQuery['services']['edges'][number]['node']
export type ServiceKind = AdminServiceKindsQuery['serviceKinds'][number]

/** Kinds of services by type, in the language of the texts. They change with a release of the server alone. */
let asked: { locale: string; kinds: Promise<ReadonlyMap<string, ServiceKind>> } | null = null

/** Returns the kinds of services by type, as the server describes them; none until it has. */
export function useServiceKinds(): ReadonlyMap<string, ServiceKind> {
  const store = useStore()
  const [kinds, set] = useState<ReadonlyMap<string, ServiceKind>>(new Map())
  const language = locale()
  useEffect(() => {
    let isShown = true
    if (asked?.locale !== language) {
      const variables = { locale: language.toUpperCase() as UserLocale }
      const answer = store.request(AdminServiceKindsDocument, variables)
      asked = {
        locale: language,
        kinds: answer.then(({ serviceKinds }) => new Map(serviceKinds.map((kind) => [kind.type, kind]))),
      }
      // Asked again when the next page is opened.
      asked.kinds.catch(() => (asked = null))
    }
    asked.kinds.then(
      (found) => isShown && set(found),
      () => null,
    )
    return () => void (isShown = false)
  }, [store, language])
  return kinds
}

/** The name of a service; of one without a name, that of its kind. */
export function nameOf(
  { name, type }: { name: string | null; type: string },
  kinds: ReadonlyMap<string, ServiceKind>,
): string {
  return name ?? kinds.get(type)?.name ?? type
}

/** The fields of a service's params; of a type without a form, all of them as JSON. */
export function paramFields({ params }: Service, kind: ServiceKind | undefined): FieldSpec[] {
  if (!kind) {
    const { params: label, paramsHelp: help } = words.services
    return [{ name: 'params', label, kind: 'json', help, value: JSON.stringify(params, null, 2) }]
  }
  return kind.params.map(({ key, label, help, isSecret, isList, isLong, options }) => {
    const value = params[key]
    const hints = [help, isSecret && value !== undefined && words.services.secretHelp]
    return {
      name: key,
      label,
      ...(options.length > 0
        ? { kind: 'select' as const, options: options.map((each) => [each.value, each.label] as const) }
        : (isList || isLong) && { kind: 'lines' as const }),
      help: hints.filter(Boolean).join(' '),
      value: textOf(value) ?? options[0]?.value ?? '',
    }
  })
}

/** The text of a stored param in its field; null where none is stored. */
const textOf = (value: unknown): string | null =>
  Array.isArray(value) ? value.join('\n') : isNone(value) ? null : String(value)

const isNone = (value: unknown): boolean => value === undefined || value === null

/**
 * The params to store: those of the fields that were changed, and the others as they are: not everything that the API stores has
 * a form here. @throws Error for what is no JSON
 */
export function paramsOf({ params }: Service, kind: ServiceKind | undefined, values: Values): Record<string, unknown> {
  if (!kind) {
    try {
      return JSON.parse(values.params as string) as Record<string, unknown>
    } catch (error) {
      throw new Error(`${words.services.badJson}: ${(error as Error).message}`, { cause: error })
    }
  }
  const next: Record<string, unknown> = { ...params }
  for (const { key, isList } of kind.params) {
    if (values[key] === textOf(params[key])) continue
    const text = (values[key] as string).trim()
    const lines = linesOf(text)
    if (isList ? lines.length === 0 : text === '') delete next[key]
    else next[key] = isList ? lines : text
  }
  return next
}
