import { LRUCache } from 'lru-cache'
import { reading, type ReadSql } from '../db/sql.js'
import { CompiledSchedule, type ScheduleHours } from '../schedules/compiled-schedule.js'
import type { ClockKind } from './clock-kind.js'
import type { SlaChoice } from './sla-clock.js'
import type { SlaTarget } from './sla-policy.js'

const MINUTE_MS = 60_000

export interface ClockTarget {
  ms: number
  /** Warns when so much time is left. */
  warnMs: number | null
}

/** The targets of a version of a policy, and the open hours of a version of its schedule. */
export class ClockTerms {
  readonly #targets: ReadonlyMap<ClockKind, ClockTarget>

  constructor(
    readonly choice: SlaChoice,
    targets: readonly SlaTarget[],
    private readonly schedule: CompiledSchedule | null,
  ) {
    this.#targets = new Map(
      targets.map(({ clock, minutes, warnMinutes }) => [
        clock,
        { ms: minutes * MINUTE_MS, warnMs: warnMinutes === null ? null : warnMinutes * MINUTE_MS },
      ]),
    )
  }

  targetOf(kind: ClockKind): ClockTarget | undefined {
    return this.#targets.get(kind)
  }

  dueAfter(from: number, ms: number): number | null {
    return this.schedule ? this.schedule.dueAfter(from, ms) : from + Math.max(0, ms)
  }

  openMs(from: number, to: number): number {
    return this.schedule ? this.schedule.openMs(from, to) : Math.max(0, to - from)
  }
}

/** Terms by the versions that they consist of, which never change. One instance serves a whole process. */
export class TermsCache {
  readonly #targets = new LRUCache<string, readonly SlaTarget[]>({ max: 2_000 })
  readonly #schedules = new LRUCache<string, CompiledSchedule>({ max: 2_000 })

  /** Returns the terms if nothing has to be read for them. */
  known(choice: SlaChoice): ClockTerms | null {
    const targets = this.#targets.get(policyKey(choice))
    const schedule = choice.schedule === null ? null : this.#schedules.get(scheduleKey(choice))
    return targets && schedule !== undefined ? new ClockTerms(choice, targets, schedule) : null
  }

  /** @throws Error if a version is not there */
  async of(sql: ReadSql, choice: SlaChoice): Promise<ClockTerms> {
    const known = this.known(choice)
    if (known) return known
    const { policy, version, schedule, scheduleVersion } = choice
    const [row] = await sql.query<{ targets: SlaTarget[] | null; hours: ScheduleHours | null }>(
      TERMS,
      [policy, version, schedule, scheduleVersion],
      'sla-terms',
    )
    if (!row?.targets || (schedule !== null && !row.hours)) {
      throw new Error(`version ${version} of SLA policy ${policy}, or of its schedule, is not there`)
    }
    this.#targets.set(policyKey(choice), row.targets)
    if (row.hours) this.#schedules.set(scheduleKey(choice), new CompiledSchedule(row.hours))
    return this.known(choice)!
  }
}

const policyKey = ({ policy, version }: SlaChoice): string => `${policy} ${version}`
const scheduleKey = ({ schedule, scheduleVersion }: SlaChoice): string => `${schedule} ${scheduleVersion}`

const TERMS = reading(`select
  (select terms -> 'targets' from sla_policy_version where policy_id = $1 and version = $2) as targets,
  (select hours from schedule_version where schedule_id = $3 and version = $4) as hours`)
