import type { JsonObject, JsonValue } from '../json.js'
import type { Job, NewJob } from './job.js'

/** A kind of job, and what its payload holds. */
export interface JobType<Payload extends object> {
  readonly kind: string
  /** Creates a job of this kind, to be added in the transaction that causes it. */
  create(payload: Payload, options?: Omit<NewJob, 'kind' | 'payload'>): NewJob
  /** Reads a job's payload. @throws when a member is missing or of another type: another release wrote it */
  read(job: Job): Job<Payload>
  /** Reads what is there of a job's payload. */
  readPart(job: Job<Partial<JsonObject>>): Job<Partial<Payload>>
}

/** The handler has ended its job in the transaction that did the work, see `finishJob`. */
export const ENDED = 'ended'

/**
 * Does the job's work. For exactly-once execution, call `finishJob` in the transaction that does it, and return
 * {@link ENDED} to spare the runner a statement.
 */
export type JobHandler<Payload extends object = JsonObject> = (job: Job<Payload>) => Promise<typeof ENDED | void>

export interface JobKind<Payload extends object = JsonObject> {
  handler: JobHandler<Payload>
  /** Maximum attempts that fail or never end; then the job is given up and kept for an operator. */
  attemptsMax?: number
  /** Waits for external servers: runs in a separate pool, so that it cannot delay rules and messages. */
  isOutbound?: boolean
  /** Called before the job is given up. */
  givenUp?(job: Job<Partial<Payload>>, error: unknown): Promise<void>
}

type Kind<Value> = null extends Value
  ? 'any'
  : Value extends string
    ? 'string'
    : Value extends number
      ? 'number'
      : Value extends boolean
        ? 'boolean'
        : Value extends readonly unknown[]
          ? 'array'
          : 'object'

/** The members that every payload has, and their types: a member that a later release adds is optional. */
type Members<Payload> = {
  readonly [Key in keyof Payload as undefined extends Payload[Key] ? never : Key]: Kind<Payload[Key]>
}

/** Declares a kind of job. */
export function defineJob<Payload extends object>(kind: string, members: Members<Payload>): JobType<Payload> {
  return {
    kind,
    create(payload, options) {
      const json: object = payload
      return { ...options, kind, payload: json as JsonObject }
    },
    read(job) {
      for (const [key, wanted] of Object.entries<string>(members)) {
        const value = job.payload[key]
        if (value === undefined || (wanted !== 'any' && kindOf(value) !== wanted)) {
          throw new Error(`the payload of job ${job.id} (${kind}) has no ${key} of type ${wanted}`)
        }
      }
      const payload: object = job.payload
      return { ...job, payload: payload as Payload }
    },
    readPart(job) {
      const payload: object = job.payload
      return { ...job, payload: payload as Partial<Payload> }
    },
  }
}

function kindOf(value: JsonValue): string {
  return Array.isArray(value) ? 'array' : typeof value
}
