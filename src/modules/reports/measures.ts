import { WAITED } from '../channels/service-level.js'
import { MERGED_TURN, type MilestoneKind } from '../conversations/state/milestone.js'
import { OCCUPIED_BY } from '../staffing/occupancy.js'
import { GOES_ON } from '../staffing/state-milestone.js'

/** Columns that count one kind of milestone. */
export interface Measure {
  /** In `report_slot`. Never changes. */
  code: number
  kind: MilestoneKind
  /** Only the answers to the first message of a case. */
  isFirst?: true
  /** Only milestones with one of these details. */
  details?: readonly string[]
  /** Only milestones without this detail. */
  without?: string
}

type Part = Omit<Measure, 'kind'>

const withDetail = (code: number, ...details: string[]): Part => ({ code, details })

/** One part for each clock. */
const clocks = (first: number) => ({
  queue: withDetail(first, 'queue'),
  firstResponse: withDetail(first + 1, 'firstResponse'),
  nextResponse: withDetail(first + 2, 'nextResponse'),
  resolution: withDetail(first + 3, 'resolution'),
})

/** Measures by the kind of milestone that they count. The compiler requires an entry for every kind. */
const MEASURES = {
  created: { all: { code: 1 } },
  queued: { all: { code: 2 } },
  notified: { all: { code: 3 } },
  offered: { all: { code: 4 } },
  offerEnded: {
    accepted: withDetail(17, 'accepted'),
    declined: withDetail(18, 'declined'),
    expired: withDetail(19, 'expired'),
    withdrawn: withDetail(20, 'withdrawn'),
    answered: withDetail(21, 'accepted', 'declined'),
  },
  accepted: {
    all: { code: 6 },
    inTime: withDetail(42, WAITED.inTime),
    late: withDetail(43, WAITED.late),
    fromQueue: withDetail(44, WAITED.inTime, WAITED.late),
  },
  agentLeft: { all: { code: 7 } },
  consumerTurn: { all: { code: 8, without: MERGED_TURN } },
  agentTurn: { all: { code: 9, without: MERGED_TURN }, first: { code: 16, isFirst: true, without: MERGED_TURN } },
  firstText: { all: { code: 54 } },
  categorised: { all: { code: 10 } },
  labelled: { all: { code: 50 } },
  macro: { all: { code: 53 } },
  snoozed: { all: { code: 51 } },
  woken: { all: { code: 52 } },
  asked: { all: { code: 70 } },
  rated: {
    all: { code: 71 },
    one: withDetail(72, '1', 'down'),
    two: withDetail(73, '2'),
    three: withDetail(74, '3'),
    four: withDetail(75, '4'),
    five: withDetail(76, '5', 'up'),
  },
  abandoned: { all: { code: 11 }, short: withDetail(45, WAITED.short), long: withDetail(46, WAITED.long) },
  closed: { all: { code: 12 } },
  merged: { all: { code: 13 } },
  deleted: { all: { code: 14 } },
  clockMet: clocks(26),
  clockBreached: clocks(30),
  clockOverrun: clocks(34),
  agentState: {
    available: withDetail(22, 'available'),
    busy: withDetail(23, 'busy'),
    away: withDetail(24, 'away'),
    notResponding: withDetail(25, 'notResponding'),
    availableOn: withDetail(38, `available${GOES_ON}`),
    busyOn: withDetail(39, `busy${GOES_ON}`),
    awayOn: withDetail(40, `away${GOES_ON}`),
    notRespondingOn: withDetail(41, `notResponding${GOES_ON}`),
    offline: withDetail(47, 'offline'),
    wrapUp: withDetail(48, 'wrapUp'),
    wrapUpOn: withDetail(49, `wrapUp${GOES_ON}`),
  },
  transferred: { all: { code: 60 }, toAgent: withDetail(61, 'agent'), toQueue: withDetail(62, 'queue') },
  received: { all: { code: 63 } },
  occupied: { all: { code: 64 }, byConversations: withDetail(65, OCCUPIED_BY.conversations) },
  held: { all: { code: 66 } },
  proposed: { all: { code: 80 } },
  proposalEnded: {
    accepted: withDetail(81, 'accepted'),
    edited: withDetail(82, 'edited'),
    rejected: withDetail(83, 'rejected'),
    ignored: withDetail(84, 'ignored'),
  },
} as const satisfies Record<MilestoneKind, Readonly<Record<string, Part>>>

const partsOf = (kind: MilestoneKind): Part[] => Object.values(MEASURES[kind])

/** @param part `all` of most kinds */
export function measureOf<Kind extends MilestoneKind>(kind: Kind, part: keyof (typeof MEASURES)[Kind]): Measure {
  return { ...(MEASURES[kind][part] as Part), kind }
}

const KINDS = Object.keys(MEASURES) as MilestoneKind[]
export const MEASURE_CODES: readonly number[] = KINDS.flatMap((kind) => partsOf(kind).map(({ code }) => code))

/** The kinds of milestones that these measures count. */
export const kindsOf = (codes: readonly number[]): MilestoneKind[] =>
  KINDS.filter((kind) => partsOf(kind).some(({ code }) => codes.includes(code)))

function partSql({ isFirst, details, without }: Part): string | null {
  const conditions = [
    isFirst && 'm.turn = 1',
    without && `m.detail is distinct from '${without}'`,
    details && `m.detail in (${details.map((detail) => `'${detail}'`).join(', ')})`,
  ].filter(Boolean)
  return conditions.length > 0 ? conditions.join(' and ') : null
}

/** The condition for the milestones at `m` of a measure. */
export function measureSql(measure: Measure): string {
  const condition = partSql(measure)
  return `m.kind = '${measure.kind}'${condition === null ? '' : ` and ${condition}`}`
}

/** The codes of the measures to which a milestone at `m` belongs. */
export const MEASURES_OF_SQL = `case m.kind ${KINDS.map((kind) => `when '${kind}' then ${codesSql(kind)}`).join(' ')}
  else '{}' end`

function codesSql(kind: MilestoneKind): string {
  const parts = partsOf(kind)
  const always = parts.filter((part) => partSql(part) === null).map(({ code }) => code)
  const choices = parts.filter((part) => partSql(part) !== null)
  const literal = `'{${always.join(',')}}'::smallint[]`
  if (choices.length === 0) return literal
  const chosen = choices.map((part) => `case when ${partSql(part)} then '{${part.code}}'::smallint[] else '{}' end`)
  return `${literal} || ${chosen.join(' || ')}`
}

/** Seconds in a quarter of an hour: every time zone's days begin and end with one. */
export const QUARTER_SECONDS = 900
export const QUARTER_MS = QUARTER_SECONDS * 1_000

/** The quarter of a milestone at `m`, counted from 1970. */
export const QUARTER_SQL = `floor(date_part('epoch', m.at) / ${QUARTER_SECONDS})::int`

/**
 * Cubes by what their slots tell apart besides the organization, and the number of quarters in a slot. Most reports ask
 * for the agent or for what the conversation was about, and these cubes have few rows. What begins or ends within the
 * shortest slot is read from the milestones.
 */
export const CUBES = {
  agents: { code: 1, columns: ['user_id', 'reason_id', 'bot_id', 'proposal_kind', 'channels'], spans: [96, 16, 4] },
  topics: { code: 2, columns: ['touchpoint', 'category', 'channels'], spans: [96, 16, 4] },
  whole: {
    code: 3,
    columns: ['user_id', 'reason_id', 'bot_id', 'proposal_kind', 'touchpoint', 'category', 'channels'],
    spans: [16],
  },
} as const
export type Cube = keyof typeof CUBES

/**
 * Tells whether slots also count durations by class. In short and in detailed slots these would be as many as the
 * milestones, from which percentiles are then read.
 */
export const hasClasses = (cube: Cube, span: number): boolean => cube !== 'whole' && span >= 16

/** Durations are counted in classes, each a tenth longer than the one before it. */
const CLASS_RATIO = 1.1

/** The class of the duration of a milestone at `m`; 0 without one. */
export const CLASS_SQL = `case when m.ms is null then 0 when m.ms < 1 then 1
  else 2 + floor(ln(m.ms::float8) / ${Math.log(CLASS_RATIO)}::float8)::int end`

/** Classes are stored with their counts: `class << 32 | count`. A class may be stored several times. */
export const packSql = (of: string, count: string): string => `(${of}::int8 << 32) | ${count}`
export const CLASS_OF_PACKED = '(packed >> 32)::int'
export const COUNT_OF_PACKED = '(packed & 4294967295)'

/** The geometric mean of a class's durations, which is off by at most 5 %. */
export function msOfClass(of: number): number {
  return of < 2 ? 0 : CLASS_RATIO ** (of - 1.5)
}
