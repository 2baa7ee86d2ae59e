import { NotFound } from '../../../platform/errors.js'

/** Resolves when the work in a conversation is done, or when that has been deleted in the meantime. */
export async function ifThere(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error
  })
}
