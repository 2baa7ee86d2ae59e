import { isDeepStrictEqual } from 'node:util'
import { BadUserInput } from '../../platform/errors.js'
import { isAbsent } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import { holdsSecret, maskedPaths, maskSecrets } from './service-secrets.js'
import type { ServiceBefore, ServiceKind } from './service-kinds.js'

/**
 * Checks masks. A mask stands for a secret that the sender may not know, so it is refused where the secret would be
 * used differently: sent to another host, for another account, or in a service of another type.
 * @param given the params as sent by the client, including masks, and with what these stand for
 * @throws BadUserInput naming the param
 */
export function checkMasks(
  { sent, restored }: { sent: JsonObject; restored: JsonObject },
  before: ServiceBefore,
  kind: ServiceKind | undefined,
  type: string,
): void {
  const compared = (params: JsonObject): JsonObject => ({ ...params, ...declaredOf(maskSecrets(params, kind), kind) })
  const [now, earlier] = [compared(restored), compared(before.params)]
  const others = new Set([...Object.keys(now), ...Object.keys(earlier)])
  const moved = [...others].filter((key) => isOther(now[key], earlier[key]))
  for (const [param, [path]] of Map.groupBy(maskedPaths(sent), ([first]) => first!)) {
    const name = ['params', ...path!].join('.')
    if (type !== before.type) {
      throw new BadUserInput(name, `${name} is masked, but the type changes to ${type}: give the secret itself`)
    }
    const bound = moved.find((each) => isBoundTo(param, each, kind))
    if (bound !== undefined) {
      throw new BadUserInput(
        name,
        `${name} is masked, but params.${bound}, to which it is bound, changes: give the secret itself`,
      )
    }
  }
}

/**
 * Refuses a change of type without new params: the new type might send stored secrets elsewhere. @throws BadUserInput
 */
export function checkTypeChange(before: ServiceBefore, kindBefore: ServiceKind | undefined, type: string): void {
  if (type === before.type || !holdsSecret(before.params, kindBefore)) return
  throw new BadUserInput('params', `params are needed when the type changes to ${type}: stored secrets are not kept`)
}

/** Params that a kind declares are compared as they are shown: another secret, or password of a URL, is no move. */
function declaredOf(masked: JsonObject, kind: ServiceKind | undefined): JsonObject {
  return Object.fromEntries(Object.entries(masked).filter(([key]) => kind?.params.includes(key)))
}

/**
 * Tells whether a secret is bound to another param: to all others for an undeclared secret, so that a missing declaration
 * is noticed.
 */
function isBoundTo(secret: string, other: string, kind: ServiceKind | undefined): boolean {
  // The server sends nothing for types it does not know.
  if (!kind) return false
  if (Object.hasOwn(kind.secrets, secret)) return kind.secrets[secret]!.includes(other)
  return other !== secret && !Object.hasOwn(kind.secrets, other)
}

function isOther(given: JsonObject[string] | undefined, stored: JsonObject[string] | undefined): boolean {
  return isAbsent(given) || isAbsent(stored) ? isAbsent(given) !== isAbsent(stored) : !isDeepStrictEqual(given, stored)
}
