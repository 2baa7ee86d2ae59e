import { BadUserInput, renamedError } from '../../platform/errors.js'
import { isAbsent } from '../../platform/input.js'
import { parseJsonObject, type JsonObject } from '../../platform/json.js'
import { settingsTypes } from './service-settings.js'
import type { UpdateServiceInput } from './service.js'

/** The params of a write, as given by `params`, or by the settings of one type. */
export interface GivenParams {
  /** Undefined if the write has none. */
  params: JsonObject | undefined
  /** The type of the settings; null if `params` were given. */
  type: string | null
  /** Their place in the input: `params`, `settings.webhook`. */
  field: string
}

/** @throws BadUserInput unless there are params, or the settings of one type, or neither */
export function givenParams({ params, settings }: Pick<UpdateServiceInput, 'params' | 'settings'>): GivenParams {
  if (isAbsent(settings)) {
    const given = params === null ? {} : params
    return { params: given && parseJsonObject(given, 'params'), type: null, field: 'params' }
  }
  if (!isAbsent(params)) throw new BadUserInput('settings', 'settings and params exclude each other: give one of them')
  const named = Object.entries(settings).filter(([, each]) => !isAbsent(each))
  const [[type, given] = []] = named
  if (named.length !== 1 || type === undefined) {
    const types = settingsTypes().join(', ')
    const found = named.length === 0 ? 'none' : named.map(([key]) => key).join(', ')
    throw new BadUserInput('settings', `settings must be those of one type of ${types}; given: ${found}`)
  }
  const present = Object.entries(given as object).filter(([, value]) => !isAbsent(value))
  return { params: Object.fromEntries(present) as JsonObject, type, field: `settings.${type}` }
}

/** @throws BadUserInput for settings of another type than the service's */
export function checkSettingsType(given: GivenParams, type: string): void {
  if (given.type === null || given.type === type) return
  throw new BadUserInput(given.field, `${given.field} is not for a service of type ${type}`)
}

/** Runs a write whose errors name params by where they stand in the input. @param write throws errors that name `params` */
export async function namedAsGiven<T>({ field }: GivenParams, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw field === 'params' ? error : renamedError(error, /\bparams(?=[.[])/g, field)
  }
}
