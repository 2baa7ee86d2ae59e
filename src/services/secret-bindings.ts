import { isDeepStrictEqual } from 'node:util'
import { BadUserInput } from '../errors.js'
import { isAbsent } from '../input.js'
import type { JsonObject } from '../json.js'
import { holdsSecret, isSecretKey, maskedPaths, maskSecrets } from './service-secrets.js'
import type { ServiceBefore, ServiceKind } from './service-kinds.js'

/**
 * Checks masks. A mask stands for a secret that the sender may not know, so it is refused where the secret would be
 * used differently: sent to another host, for another account, or in a service of another type.
 * @param given the params as sent by the client, including masks
 * @throws BadUserInput naming the param
 */
export function checkMasks(
  given: JsonObject,
  before: ServiceBefore,
  kind: ServiceKind | undefined,
  type: string,
): void {
  // Other secrets are compared in masked form.
  const [now, earlier] = [maskSecrets(given), maskSecrets(before.params)]
  for (const path of maskedPaths(given)) {
    const name = ['params', ...path].join('.')
    if (type !== before.type) {
      throw new BadUserInput(name, `${name} is masked, but the type changes to ${type}: give the secret itself`)
    }
    const moved = boundTo(path[0]!, now, earlier, kind).find((key) => isOther(now[key], earlier[key]))
    if (moved !== undefined) {
      throw new BadUserInput(
        name,
        `${name} is masked, but params.${moved}, to which it is bound, changes: give the secret itself`,
      )
    }
  }
}

/**
 * Refuses a change of type without new params: the new type might send stored secrets elsewhere. @throws BadUserInput
 */
export function checkTypeChange(before: ServiceBefore, type: string): void {
  if (type === before.type || !holdsSecret(before.params)) return
  throw new BadUserInput('params', `params are needed when the type changes to ${type}: stored secrets are not kept`)
}

/**
 * Returns the params to which a secret is bound: all others for an undeclared secret, so that a missing declaration is
 * noticed.
 */
function boundTo(key: string, given: JsonObject, stored: JsonObject, kind: ServiceKind | undefined): readonly string[] {
  // The server sends nothing for types it does not know.
  if (!kind) return []
  return (
    kind.secrets[key] ??
    [...new Set([...Object.keys(given), ...Object.keys(stored)])].filter((each) => !isSecretKey(each))
  )
}

function isOther(given: JsonObject[string] | undefined, stored: JsonObject[string] | undefined): boolean {
  return isAbsent(given) || isAbsent(stored) ? isAbsent(given) !== isAbsent(stored) : !isDeepStrictEqual(given, stored)
}
