import { quantile } from '../harness/figures.js'
import { STAGES, StageTally, type Tally } from './tally.js'

type Column = readonly [title: string, value: (stage: StageTally) => number]

const COLUMNS: readonly Column[] = [
  ['sent', ({ sent }) => sent],
  ['unanswered', ({ sent, answered }) => Math.max(0, sent - answered)],
  ['2xx', (stage) => stage.answersFrom(200, 300)],
  ['3xx', (stage) => stage.answersFrom(300, 400)],
  ['4xx', (stage) => stage.answersFrom(400, 429) + stage.answersFrom(430, 500)],
  ['429', (stage) => stage.answersFrom(429, 430)],
  ['bounded', ({ refused }) => refused],
  ['5xx', (stage) => stage.answersFrom(500, Infinity)],
  ['faults', ({ faults }) => faults],
  ['slowest ms', ({ slowestMs }) => slowestMs],
  ['/readyz asked', ({ readyMs }) => readyMs.length],
  ['its p95 ms', ({ readyMs }) => quantile(readyMs, 0.95)],
  ['longest ms', ({ readyMs }) => Math.max(0, ...readyMs)],
]

/** A table of all that was sent and what came of it, and the bounds that refused. */
export function describeTally({ stages }: Tally): string {
  const rows = [...STAGES.map((name) => [name, stages[name]] as const), ['all', sumOf(Object.values(stages))] as const]
  const table = tableOf([
    ['', ...COLUMNS.map(([title]) => title)],
    ...rows.map(([name, stage]) => [name, ...COLUMNS.map(([, value]) => whole(value(stage)))]),
  ])
  const refusals = STAGES.flatMap((name) =>
    [...stages[name].refusals].map(([bound, count]) => `refused by a bound: ${whole(count)} ${name}, ${bound}\n`),
  )
  return `${table}${refusals.join('')}`
}

/** Lines of cells, the first of each to the left, the others to the right. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '),
  )
  return `${lines.join('\n')}\n`
}

function whole(value: number): string {
  return Number.isNaN(value) ? '-' : Math.round(value).toLocaleString('en-US')
}

function sumOf(stages: readonly StageTally[]): StageTally {
  const sum = new StageTally()
  for (const { sent, answers, refusals, faults, slowestMs, readyMs } of stages) {
    sum.sent += sent
    sum.faults += faults
    sum.slowestMs = Math.max(sum.slowestMs, slowestMs)
    sum.readyMs.push(...readyMs)
    for (const [status, count] of answers) sum.answers.set(status, (sum.answers.get(status) ?? 0) + count)
    for (const [bound, count] of refusals) sum.refusals.set(bound, (sum.refusals.get(bound) ?? 0) + count)
  }
  return sum
}
