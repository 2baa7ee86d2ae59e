import type { MilestoneKind } from '../conversations/writing/milestone.js'

/**
 * What is counted of each kind of milestone: the code of its measure in `report_slot`. The compiler requires an entry for
 * every kind. A code never changes.
 */
const MEASURES = {
  created: 1,
  queued: 2,
  notified: 3,
  offered: 4,
  offerEnded: 5,
  accepted: 6,
  agentLeft: 7,
  consumerTurn: 8,
  agentTurn: 9,
  categorised: 10,
  abandoned: 11,
  closed: 12,
  merged: 13,
  deleted: 14,
  agentState: 15,
} as const satisfies Record<MilestoneKind, number>

/** Answers to the first message of a case are counted by themselves as well. */
const FIRST_ANSWER = 16

export const MEASURE_CODES: readonly number[] = [...Object.values(MEASURES), FIRST_ANSWER]

export interface Measure {
  code: number
  kind: MilestoneKind
  /** Only answers to the first message of a case. */
  isFirst?: true
}

export const measureOf = (kind: MilestoneKind): Measure => ({ code: MEASURES[kind], kind })
export const firstAnswer: Measure = { code: FIRST_ANSWER, kind: 'agentTurn', isFirst: true }

/** The condition for the milestones at `m` of a measure. */
export const measureSql = ({ kind, isFirst }: Measure): string =>
  `m.kind = '${kind}'${isFirst ? ' and m.turn = 1' : ''}`

/** The codes of the measures to which a milestone at `m` belongs. */
export const MEASURES_OF_SQL = `case m.kind ${Object.entries(MEASURES)
  .map(([kind, code]) => {
    const codes =
      kind === 'agentTurn'
        ? `case when m.turn = 1 then '{${code},${FIRST_ANSWER}}' else '{${code}}' end`
        : `'{${code}}'`
    return `when '${kind}' then ${codes}::smallint[]`
  })
  .join(' ')} else '{}' end`

/** Seconds in a quarter of an hour, the finest slot: every time zone's days begin and end with one. */
export const QUARTER_SECONDS = 900
export const QUARTER_MS = QUARTER_SECONDS * 1_000

/** The quarter of a milestone at `m`, counted from 1970. */
export const QUARTER_SQL = `floor(extract(epoch from m.at) / ${QUARTER_SECONDS})::int`

/** How many quarters the slots have in which milestones are counted: for long spans, few rows are read. */
export const SPANS = [96, 16, 1] as const

/** Added to the code of a measure for its durations by class, which have rows of their own: most reports need sums alone. */
export const BY_CLASS = 100

/** Durations are counted in classes, each a tenth longer than the one before it. */
const CLASS_RATIO = 1.1

/** The class of the duration of a milestone at `m`; 0 without one. */
export const BUCKET_SQL = `(case when m.ms is null then 0 when m.ms < 1 then 1
  else 2 + floor(ln(m.ms::float8) / ln(${CLASS_RATIO}::float8))::int end)::smallint`

/** The geometric mean of a class's durations, which is off by at most 5 %. */
export function msOfBucket(bucket: number): number {
  return bucket < 2 ? 0 : CLASS_RATIO ** (bucket - 1.5)
}
