import { isDeepStrictEqual } from 'node:util'
import { BadUserInput } from '../errors.js'
import { isAbsent } from '../input.js'
import type { JsonObject } from '../json.js'
import { holdsSecret, isSecretKey, maskedPaths, maskSecrets } from './service-secrets.js'
import type { ServiceBefore, ServiceKind } from './service-kinds.js'

/**
 * A mask stands for a secret that its sender may not know. It is refused where the secret would go elsewhere than before:
 * to another host, in the name of another account, or into a service of another type.
 * @param given the params as the client sends them, masks and all
 * @throws BadUserInput naming the param
 */
export function checkMasks(
  given: JsonObject,
  before: ServiceBefore,
  kind: ServiceKind | undefined,
  type: string,
): void {
  // Other secrets count as they are shown.
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
        `${name} is masked, but params.${moved}, which it goes with, changes: give the secret itself`,
      )
    }
  }
}

/** Without new params, secrets do not follow a service to another type, which may send them elsewhere. @throws BadUserInput */
export function checkTypeChange(before: ServiceBefore, type: string): void {
  if (type === before.type || !holdsSecret(before.params)) return
  throw new BadUserInput('params', `params are needed when the type changes to ${type}: stored secrets do not go along`)
}

/** A secret that its kind does not declare is bound to everything beside it: forgetting one is seen at once. */
function boundTo(key: string, given: JsonObject, stored: JsonObject, kind: ServiceKind | undefined): readonly string[] {
  // The server sends nothing for types that it does not know.
  if (!kind) return []
  return (
    kind.secrets[key] ??
    [...new Set([...Object.keys(given), ...Object.keys(stored)])].filter((each) => !isSecretKey(each))
  )
}

function isOther(given: JsonObject[string] | undefined, stored: JsonObject[string] | undefined): boolean {
  return isAbsent(given) || isAbsent(stored) ? isAbsent(given) !== isAbsent(stored) : !isDeepStrictEqual(given, stored)
}
