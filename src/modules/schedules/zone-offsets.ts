import { LRUCache } from 'lru-cache'

/** The local time of a zone is `offset` milliseconds ahead of UTC from this instant until the next period begins. */
export interface OffsetPeriod {
  from: number
  offset: number
}

/** No zone has changed its offset and changed it back within a week since 1970. */
const PROBE_MS = 7 * 86_400_000
/** Years of zones: some hundred bytes each. */
const known = new LRUCache<string, readonly OffsetPeriod[]>({ max: 5_000 })
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 })

/**
 * Returns the offsets that apply in a year (UTC), the first from its beginning on. Finds every change, provided that no
 * two of them within a week cancel each other out.
 */
export function offsetsIn(timezone: string, year: number): readonly OffsetPeriod[] {
  const key = `${year} ${timezone}`
  let periods = known.get(key)
  if (!periods) {
    periods = findOffsets(timezone, Date.UTC(year, 0), Date.UTC(year + 1, 0))
    known.set(key, periods)
  }
  return periods
}

function findOffsets(timezone: string, from: number, to: number): OffsetPeriod[] {
  const periods = [{ from, offset: offsetAt(timezone, from) }]
  for (let at = from; at < to; at += PROBE_MS) {
    const next = Math.min(at + PROBE_MS, to - 1)
    let last = periods.at(-1)!
    const offset = offsetAt(timezone, next)
    if (offset === last.offset) continue
    let [low, high] = [at, next]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (offsetAt(timezone, middle) === last.offset) low = middle
      else high = middle
    }
    last = { from: high, offset }
    periods.push(last)
  }
  return periods
}

/** In milliseconds. */
export function offsetAt(timezone: string, at: number): number {
  let format = formats.get(timezone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timezone, format)
  }
  const [, month, day, year, hour, minute, second] = LOCAL.exec(format.format(at))!.map(Number)
  const local = Date.UTC(year!, month! - 1, day, hour, minute, second)
  return local - Math.floor(at / 1_000) * 1_000
}

const LOCAL = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/
