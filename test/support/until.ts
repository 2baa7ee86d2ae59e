/** Long, since two workers share the machine, but shorter than a test's own limit: so it is told what did not come. */
const WAIT_MS = 20_000
const LOOK_EVERY_MS = 20

type Found<T> = T | undefined | null | false

/** Looks until there is something. @throws Error after `withinMs` */
export async function until<T>(look: () => Found<T> | Promise<Found<T>>, withinMs = WAIT_MS): Promise<T> {
  for (const deadline = Date.now() + withinMs; ; await pause()) {
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${look.toString().slice(0, 200)}`)
  }
}

/** Repeats a check until it passes. @throws what it threw last, after `withinMs` */
export async function untilPasses(check: () => Promise<void>, withinMs = WAIT_MS): Promise<void> {
  for (const deadline = Date.now() + withinMs; ; await pause()) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
