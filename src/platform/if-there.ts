import { NotFound } from './errors.js'

/** Resolves when the work is done, or when the record that it is about has been deleted in the meantime. */
export async function ifThere(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error
  })
}
