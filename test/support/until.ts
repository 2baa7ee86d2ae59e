/**
 * Longest time that a test waits for one thing: says only that it does not come, also on a machine with ten times the load.
 * Shorter than a test's own limit, so that it is told what did not come.
 */
export const PATIENCE_MS = 120_000
const LOOK_EVERY_MS = 20

type Found<T> = Exclude<T, undefined | null | false>

/** Looks until there is something, or what there is fits. @throws Error with what it saw last */
export async function until<T>(look: () => T | Promise<T>): Promise<Found<T>>
export async function until<T>(look: () => T | Promise<T>, fits: (value: T) => boolean): Promise<T>
export async function until<T>(look: () => T | Promise<T>, fits: (value: T) => boolean = Boolean): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await pause()) {
    const value = await look()
    if (fits(value)) return value
    if (Date.now() > deadline) {
      const looked = [look, ...(fits === Boolean ? [] : [fits])].map((each) => each.toString().slice(0, 200)).join(', ')
      throw new Error(`not within ${PATIENCE_MS} ms: ${looked}; at last ${JSON.stringify(value)}`)
    }
  }
}

/** Repeats a check until it passes. @throws what it threw last */
export async function untilPasses(check: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await pause()) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
