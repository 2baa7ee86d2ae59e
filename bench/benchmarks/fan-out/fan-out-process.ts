import { bareBroadcaster, type Broadcaster } from './broadcaster.js'
import { plainBroadcaster } from './plain-broadcaster.js'
import { cpuMicros, serve } from '../../harness/processes.js'
import { productBroadcaster, type ProductBroadcaster } from './product-broadcaster.js'
import type { SeededUser } from '../../harness/seed.js'

/** Events in turn: `burst` at once, and the next ones after `gapMs`. */
export interface Pace {
  events: number
  burst: number
  gapMs: number
}

export interface Published {
  /** Time at which the delivery of each event began, in milliseconds since 1970. */
  at: number[]
  cpuMicros: number
}

let product: ProductBroadcaster | undefined
let comparison: Broadcaster | undefined

/** One broadcaster, in a process of its own: what it costs is what the process costs. */
serve({
  async product(databaseUrl: string): Promise<string> {
    product = await productBroadcaster(databaseUrl)
    return product.url
  },

  async bare(): Promise<string> {
    comparison = await bareBroadcaster()
    return comparison.url
  },

  async plain(): Promise<string> {
    comparison = await plainBroadcaster()
    return comparison.url
  },

  async token(user: SeededUser): Promise<string> {
    return product!.tokenFor(user)
  },

  async publish({ subject, ...pace }: Pace & { subject: string }): Promise<Published> {
    return publish(pace, product ?? comparison!, subject)
  },

  /** Bytes that the process occupies, rubbish collected. */
  async memory(): Promise<number> {
    for (let times = 0; times < 3; times += 1) {
      globalThis.gc!()
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    return process.memoryUsage().rss
  },

  async close(): Promise<void> {
    await (product ?? comparison)?.close()
  },
})

/** The CPU counted ends a while after the last event, when the sockets have been written to. */
async function publish({ events, burst, gapMs }: Pace, broadcaster: Broadcaster, subject: string): Promise<Published> {
  const at: number[] = []
  const before = cpuMicros()
  while (at.length < events) {
    const count = Math.min(burst, events - at.length)
    const began = performance.timeOrigin + (await broadcaster.publish(count, subject))
    for (let index = 0; index < count; index += 1) at.push(began)
    await new Promise((resolve) => setTimeout(resolve, gapMs))
  }
  return { at, cpuMicros: cpuMicros() - before }
}
