import pino, { type DestinationStream, type Logger } from 'pino'
import { tracing } from './tracing/tracing.js'

/** Errors that repeat are written once in this time. */
const REPEAT_MS = 1_000
/** Errors known at a time: what is beyond them is written as it comes. */
const KNOWN_MAX = 1_000
const WARN = 40

interface Repeated {
  count: number
  write: (count: number) => void
}

/**
 * Opens the log. An error that repeats is written once a second, with how many there were: what a client can cause a
 * thousand times a second must not fill the disk, nor hide everything else.
 */
export function openLog(level: string, stream?: DestinationStream): Logger {
  const traces = tracing()
  const repeated = new Map<string, Repeated>()
  const hooks: pino.LoggerOptions['hooks'] = {
    logMethod(args, method, at) {
      const [fields, ...rest] = args as [unknown, ...string[]]
      const key = at >= WARN ? keyOf(fields, rest[0]) : null
      const earlier = key === null ? undefined : repeated.get(key)
      const write = (count: number): void =>
        method.apply(this, count === 1 ? args : ([{ ...(fields as object), repeated: count }, ...rest] as never))
      if (earlier) {
        earlier.count += 1
        earlier.write = write
        return
      }
      if (key !== null && repeated.size < KNOWN_MAX) watch(repeated, key, write)
      write(1)
    },
  }
  return pino({ level, hooks, ...(traces.isOn && { mixin: () => traces.logFields() }) }, stream as DestinationStream)
}

/** Writes the last of those that came in the meantime, for as long as there are any. */
function watch(repeated: Map<string, Repeated>, key: string, write: Repeated['write']): void {
  const current: Repeated = { count: 0, write }
  repeated.set(key, current)
  const timer = setInterval(() => {
    if (current.count > 0) {
      current.write(current.count)
      current.count = 0
      return
    }
    repeated.delete(key)
    clearInterval(timer)
  }, REPEAT_MS)
  timer.unref()
}

/** Errors are the same if they were thrown at the same place: their texts may contain ids. */
function keyOf(fields: unknown, message: string | undefined): string | null {
  const error: unknown = fields instanceof Error ? fields : (fields as { err?: unknown } | null)?.err
  if (!(error instanceof Error)) return null
  const place = /\n\s+at .+/.exec(error.stack ?? '')?.[0] ?? error.message
  return `${message}\n${error.name}\n${place}`
}
