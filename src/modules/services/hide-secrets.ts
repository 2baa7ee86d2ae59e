import type { JsonObject } from '../../platform/json.js'
import { redactSecrets } from './redact-secrets.js'

/** Causes of an error; further ones are not kept. */
const CAUSES_MAX = 5

/**
 * Runs work with a service's secrets, and takes these out of the words of what it throws: a provider's answer may repeat them, and
 * errors are kept with their jobs, in the log, and on deliveries that agents read. The error stays the same one.
 */
export async function hidingSecrets<T>(params: JsonObject, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    hideSecrets(error, params)
    throw error
  }
}

function hideSecrets(error: unknown, params: JsonObject): void {
  let each = error
  for (let causes = 0; each instanceof Error && causes < CAUSES_MAX; causes++) {
    const { message, stack } = each
    const hidden = redactSecrets(message, params)
    if (hidden !== message || (stack !== undefined && redactSecrets(stack, params) !== stack)) {
      each.message = hidden
      if (stack !== undefined) each.stack = redactSecrets(stack, params)
    }
    // Such as the URL that an error of `new URL` repeats.
    if ('input' in each) delete each.input
    each = each.cause
  }
}
