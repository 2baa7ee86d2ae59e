import { BadUserInput } from '../../src/platform/errors.js'

export type Attempt<T> = { value: T; refused?: undefined } | { refused: BadUserInput; value?: undefined }

/**
 * Returns what `act` returns, or the refusal that it throws. Any other error is thrown on: properties use it to tell a
 * refusal from a crash.
 */
export function attempt<T>(act: () => T): Attempt<T> {
  try {
    return { value: act() }
  } catch (error) {
    if (error instanceof BadUserInput) return { refused: error }
    throw error
  }
}

/** The refusal that `act` throws; fails when it throws none, or another error. */
export function refusal(act: () => unknown): BadUserInput {
  const { value, refused } = attempt(act)
  if (!refused) throw new Error(`not refused: ${JSON.stringify(value)}`)
  return refused
}
