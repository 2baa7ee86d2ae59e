import { NotFound } from '../../platform/errors.js'

/** Runs a job of a user. Nothing is left to do for one who was deleted; the runner removes the job. */
export async function forUser(run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
  }
}
