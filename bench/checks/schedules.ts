import 'reflect-metadata'
import { Client } from 'pg'
import { CompiledSchedule } from '../../src/modules/schedules/compiled-schedule.js'
import { DAYS } from '../../src/modules/schedules/opening-hours.js'
import type { Bench } from '../harness/bench.js'
import { failuresOf, isQuick, median, short, type Check } from '../harness/figures.js'
import { compareWithSql } from './schedule-oracle.js'

const CASES = Number(process.env.BENCH_SCHEDULE_CASES ?? 100_000)
const DUES = 1_000_000
const ROUNDS = 9
const MICROS_MAX = 2

/** Open minutes and due times against minutes counted in SQL, and what a due time costs. */
export async function checkSchedules({ databaseUrl }: Bench): Promise<Check[]> {
  const cases = isQuick() ? 500 : CASES
  const client = new Client(databaseUrl)
  await client.connect()
  try {
    const seed = isQuick() ? 1 : Date.now() % 1_000_000
    const { differences, minutes, skipped, zones } = await compareWithSql(client, { cases, seed })
    const shown = `${differences.length} differ, such as ${differences[0]}`
    return [
      {
        name: `due times against minutes counted in SQL, ${cases.toLocaleString('en-US')} random cases`,
        aim: 'the same minutes, and the same due times',
        failures: failuresOf({ [shown]: differences.length === 0 }),
        found: [
          `${minutes.toLocaleString('en-US')} open minutes in ${zones} zones; ${skipped} cases skipped; seed ${seed}`,
        ],
        how:
          'Random weekly periods and exceptions, over midnight too; half of the spans of time are around a change of the clock. ' +
          'SQL decides minute by minute by `at time zone`. ' +
          'Skipped are those for which Node and PostgreSQL know different changes of the clock.',
      },
      dues(),
    ]
  } finally {
    await client.end()
  }
}

function dues(): Check {
  const weekdays = DAYS.slice(0, 5)
  const compiled = new CompiledSchedule({
    timezone: 'Europe/Amsterdam',
    spans: [
      { days: weekdays, opens: '08:30', closes: '12:30' },
      { days: weekdays, opens: '13:00', closes: '18:00' },
      { days: ['Sat'], opens: '10:00', closes: '16:00' },
    ],
    exceptions: Array.from({ length: 20 }, (_, index) => {
      const day = `2026-${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + index).padStart(2, '0')}`
      return { firstDay: day, lastDay: day, name: null, spans: [] }
    }),
  })
  const begin = Date.UTC(2026, 0)
  const count = isQuick() ? 10_000 : DUES
  const times: number[] = []
  for (let round = 0; round < (isQuick() ? 2 : ROUNDS); round++) {
    const startedAt = performance.now()
    // Up to four weeks of open time from anywhere in a year.
    for (let index = 0; index < count; index++) {
      compiled.dueAfter(begin + ((index * 7_919_333) % 31_000_000_000), 60_000 + ((index * 104_729) % 600_000_000))
    }
    times.push(((performance.now() - startedAt) * 1_000) / count)
  }
  return {
    name: 'a due time of a schedule',
    aim: `${MICROS_MAX} us`,
    failures: failuresOf({ [`${short(median(times))} us`]: median(times) <= MICROS_MAX }),
    found: [`${short(median(times))} us (${times.map(short).join(', ')})`],
    how: `${count.toLocaleString('en-US')} in process, from anywhere in a year; median of ${ROUNDS} rounds.`,
  }
}
