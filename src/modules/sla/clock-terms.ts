import { LRUCache } from 'lru-cache'
import { reading, type ReadSql } from '../../platform/db/sql.js'
import type { CompiledSchedule, ScheduleHours } from '../schedules/compiled-schedule.js'
import { CompiledSchedules } from '../schedules/current-schedule.js'
import type { ClockKind } from './clock-kind.js'
import type { SlaAct } from './sla-act.js'
import type { SlaChoice } from './sla-clock.js'
import type { SlaTarget } from './sla-policy.js'

export interface ClockTarget {
  ms: number
  /** Warns when so much time is left. */
  warnMs: number | null
  acts: readonly SlaAct[]
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
      targets.map(({ clock, seconds, warnSeconds, acts }) => [
        clock,
        { ms: seconds * 1_000, warnMs: warnSeconds === null ? null : warnSeconds * 1_000, acts },
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

  constructor(private readonly schedules = new CompiledSchedules()) {}

  /** Returns the terms if nothing has to be read for them. */
  known(choice: SlaChoice): ClockTerms | null {
    const targets = this.#targets.get(policyKey(choice))
    if (!targets || choice.schedule === null) return targets ? new ClockTerms(choice, targets, null) : null
    const schedule = this.schedules.known(choice.schedule, choice.scheduleVersion!)
    return schedule && new ClockTerms(choice, targets, schedule)
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
    const hours = row.hours && this.schedules.compile(schedule!, scheduleVersion!, row.hours)
    return new ClockTerms(choice, row.targets, hours)
  }
}

const policyKey = ({ policy, version }: SlaChoice): string => `${policy} ${version}`

const TERMS = reading(`select
  (select terms -> 'targets' from sla_policy_version where policy_id = $1 and version = $2) as targets,
  (select hours from schedule_version where schedule_id = $3 and version = $4) as hours`)
