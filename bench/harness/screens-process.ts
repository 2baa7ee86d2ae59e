import { quantile } from './figures.js'
import { serve } from './processes.js'
import { Screen, type ScreenOptions } from './screen.js'

/** Counts of what went wrong on many screens altogether. */
export interface Wrongs {
  holes: number
  repeated: number
  resyncs: number
}

const OPENING_AT_ONCE = 50
const WAIT_MS_MAX = 120_000
const RETRY_MS = 100

let screens: Screen[] = []

serve({
  /** Opens screens, some at a time; resolves when each has its state. */
  async open(options: ScreenOptions[]): Promise<void> {
    screens = options.map((each) => new Screen(each))
    const queue = screens.values()
    const work = async (): Promise<void> => {
      for (const screen of queue) await screen.open()
    }
    await Promise.all(Array.from({ length: OPENING_AT_ONCE }, work))
    await until(() => screens.every(({ places }) => places.every(({ position }) => position >= 0)))
  },

  async cut(): Promise<void> {
    for (const screen of screens) screen.cut()
  },

  /** All at once, each until it is let in. */
  async reopen(): Promise<void> {
    await Promise.all(screens.map(reopen))
  },

  /**
   * Resolves when all screens, or all but the first ones, have these positions of their conversations.
   * @returns milliseconds since 1970
   */
  async reach({ positions, from = 0 }: { positions: number[]; from?: number }): Promise<number> {
    const waiting = screens.slice(from)
    const isThere = ({ places }: Screen): boolean =>
      places.every(({ position }, index) => position >= positions[index]!)
    await until(() => waiting.every(isThere))
    return Date.now()
  },

  async wrongs(): Promise<Wrongs> {
    const sum = (of: (screen: Screen) => number): number => screens.reduce((total, screen) => total + of(screen), 0)
    return {
      holes: sum(({ holes }) => holes),
      repeated: sum(({ repeated }) => repeated),
      resyncs: sum(({ resyncs }) => resyncs),
    }
  },

  /** The 99th percentile of all deliveries to the screens past the first ones, since it was asked last. */
  async latency(from: number): Promise<{ p50: number; p99: number; deliveries: number }> {
    const all = screens.slice(from).flatMap(({ latencies }) => latencies)
    for (const screen of screens) screen.latencies = []
    return { p50: quantile(all, 0.5), p99: quantile(all, 0.99), deliveries: all.length }
  },

  async stall(count: number): Promise<void> {
    for (const screen of screens.slice(0, count)) screen.stall()
  },

  /** Lets them read what has come, and the end of it. @returns how many were closed with which code */
  async unstall(count: number): Promise<Record<string, number>> {
    const stalled = screens.slice(0, count)
    for (const screen of stalled) screen.resume()
    await until(() => stalled.every(({ closedWith }) => closedWith !== null))
    const codes: Record<string, number> = {}
    for (const { closedWith } of stalled) codes[closedWith!] = (codes[closedWith!] ?? 0) + 1
    await Promise.all(stalled.map(reopen))
    return codes
  },
})

async function reopen(screen: Screen): Promise<void> {
  for (;;) {
    try {
      return await screen.open()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = Date.now() + WAIT_MS_MAX
  while (!isTrue()) {
    if (Date.now() > end) throw new Error('it did not come about')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
