import { createUnionType, Field, ID, InputType, Int, ObjectType, type ClassType } from 'type-graphql'
import { isPlainObject, type JsonObject, type JsonValue } from '../../platform/json.js'
import type { ServiceForm, Words } from './service-form.js'

/** Descriptions of params that several types have. */
export const SECRET = 'Secret: reads return `********`.'
export const API_URL = "Base of the provider's addresses, in place of its own."

/** One param of a type of services: as GraphQL has it, as a secret, and as administrators see it in a form. */
export interface ParamSpec {
  /** Description in the schema. */
  description: string
  /** `text` if absent. A `user` is given by its id as `<param>`, and shown as `<param>Id`. An object is an enum of `graphqlEnum`. */
  type?: 'text' | 'texts' | 'boolean' | 'integer' | 'user' | object
  /** Makes it a secret: the params to which it is bound, see `ServiceKind.secrets`. */
  boundTo?: readonly string[]
  /** Keeps it out of GraphQL's settings: it is stored for legacy clients. */
  isLegacy?: true
  /** Its field in forms; absent where only the API sets it. */
  form?: ParamForm
}

/** A field of a form. */
export interface ParamForm {
  label: Words
  help?: Words
  /** Makes it a choice; the first one is what counts without any. */
  options?: readonly (readonly [value: string, label: Words])[]
  /** Gives a text several lines. */
  isLong?: true
}

export type ParamSpecs = Readonly<Record<string, ParamSpec>>

/** The parts of a `ServiceKind` that follow from its settings. */
export interface SettingsParts {
  params: readonly string[]
  secrets: Readonly<Record<string, readonly string[]>>
  form: ServiceForm
}

@InputType({ description: "Settings of a service by its type: exactly one, the type's." })
export class ServiceSettingsInput {
  [type: string]: object | null | undefined
}

/** Types of GraphQL that show the params, by the type of the services. */
const SHOWN = new Map<string, { name: string; shown: ClassType }>()

export const ServiceSettings = createUnionType({
  name: 'ServiceSettings',
  description: 'Settings of a service, by its type.',
  types: () => [...SHOWN.values()].map(({ shown }) => shown) as [ClassType],
})

/**
 * Declares the settings of a type of services as types of GraphQL, `<Name>Settings` and `<Name>SettingsInput`. Called once, when
 * the module of the type is loaded.
 * @param name in PascalCase
 */
export function defineSettings(
  type: string,
  name: string,
  specs: ParamSpecs,
  form: Omit<ServiceForm, 'params'>,
): SettingsParts {
  const all = Object.entries(specs)
  const [given, shown] = [class {}, class {}]
  for (const [key, { type: of, description, isLegacy }] of all) {
    if (isLegacy) continue
    const options = { nullable: true, description }
    Field(() => graphqlType(of), options)(given.prototype, key)
    Field(() => graphqlType(of), options)(shown.prototype, of === 'user' ? `${key}Id` : key)
  }
  const description = `Settings of a service of type \`${type}\`.`
  InputType(`${name}SettingsInput`, { description })(given)
  ObjectType(`${name}Settings`, { simpleResolvers: true, description })(shown)
  registerSettings(type, name, { given, shown })
  return {
    params: Object.keys(specs),
    secrets: Object.fromEntries(all.flatMap(([key, { boundTo }]) => (boundTo ? [[key, boundTo]] : []))),
    form: { ...form, params: all.flatMap(([key, spec]) => (spec.form ? [paramField(key, spec, spec.form)] : [])) },
  }
}

/** Declares the settings of a type of services whose types of GraphQL are classes of its own. */
export function registerSettings(
  type: string,
  name: string,
  { given, shown }: { given: ClassType; shown: ClassType },
): void {
  const description = `Settings of a service of type \`${type}\`.`
  Field(() => given, { nullable: true, description })(ServiceSettingsInput.prototype, type)
  SHOWN.set(type, { name: `${name}Settings`, shown })
}

function graphqlType(type: ParamSpec['type']): object {
  if (typeof type === 'object') return type
  if (type === 'texts') return [String]
  return type === 'boolean' ? Boolean : type === 'integer' ? Int : type === 'user' ? ID : String
}

function paramField(key: string, { type, boundTo }: ParamSpec, form: ParamForm): ServiceForm['params'][number] {
  return { key, isSecret: boundTo !== undefined, isList: type === 'texts', isLong: false, ...form }
}

/** Lists the types of services whose settings have types of their own. */
export const settingsTypes = (): string[] => [...SHOWN.keys()]

/** Tells whether a type of services has settings of its own. */
export const hasSettings = (type: string): boolean => SHOWN.has(type)

/** Returns what GraphQL shows of a service's params; null for a type of the installation's own. */
export function settingsOf(type: string, params: JsonObject): object | null {
  const settings = SHOWN.get(type)
  if (!settings) return null
  const { bot = null, ...shown } = params
  return { ...Object.fromEntries(Object.entries(shown).map(usable)), botId: bot, __typename: settings.name }
}

/** Params of a service that had another type may have any shape: those that no setting has are left out. */
function usable([key, value]: [string, JsonValue]): [string, JsonValue] {
  const isPlain = ['string', 'boolean', 'number'].includes(typeof value)
  const isTexts = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return [key, isPlain || isTexts || isRoleMap(value) ? value : null]
}

function isRoleMap(value: JsonValue): boolean {
  const isRow = (row: JsonValue): boolean =>
    isPlainObject(row) &&
    ['claim', 'value', 'role'].every((key) => typeof row[key] === 'string') &&
    Array.isArray(row.channels)
  return Array.isArray(value) && value.length > 0 && value.every(isRow)
}
