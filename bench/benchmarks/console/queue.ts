import type { Page } from 'playwright-core'
import type { Bench } from '../../harness/bench.js'
import { failuresOf, isQuick, median, quantile, short, type Check } from '../../harness/figures.js'
import { costOf, mainThreadOf, openBarePage, type MainThread, type Scene } from './browser.js'
import { REPLAY, SCROLL, STATIC_ROWS, WATCH_SOCKET } from './in-page.js'

const QUEUED = 10_000
const FRAME_MS = 16.7

export async function heapAfterReplay({ context, bench: { url } }: Scene): Promise<Check> {
  const page = await context.newPage()
  await page.addInitScript(WATCH_SOCKET)
  await page.goto(`${url}/console/queue`)
  await page.getByRole('list', { name: 'Queue' }).getByRole('listitem').first().waitFor()
  const cdp = await page.context().newCDPSession(page)
  const heap = async (): Promise<number> => {
    for (let times = 0; times < 3; times++) await cdp.send('HeapProfiler.collectGarbage')
    return (await cdp.send('Runtime.getHeapUsage')).usedSize
  }
  await page.evaluate(`(${REPLAY})(2000)`)
  const before = await heap()
  const total = isQuick() ? 4_000 : 144_000
  const began = performance.now()
  const rows = await page.evaluate<number>(`(${REPLAY})(${total})`)
  const seconds = (performance.now() - began) / 1_000
  const growth = ((await heap()) - before) / 1e6
  await page.close()
  return {
    name: `Heap after ${short(total)} events of a queue`,
    aim: 'at most 20 MB more after a collection',
    failures: failuresOf({ growth: growth <= 20, 'rows that are left': rows < 80 }),
    found: [
      `${growth.toFixed(1)} MB more, of ${(before / 1e6).toFixed(1)} MB; ${short(total / seconds)} events a second`,
    ],
    how: 'Events given to the socket of the console as the server writes them: rows come, change twice and go.',
  }
}

interface Scrolled {
  works: number[]
  rows: number
  cost: MainThread
}

export async function scrolledQueue({ context, bench, first }: Scene): Promise<Check> {
  const { url } = bench
  await fillQueue(bench, first)
  const page = await context.newPage()
  await page.goto(`${url}/console/queue`)
  await page.getByText(`${QUEUED} waiting`, { exact: true }).first().waitFor({ timeout: 60_000 })
  const { rows, sheet } = await page.evaluate<{ rows: string; sheet: string }>(STATIC_ROWS)
  const staticPage = await openBarePage(context, url, `<link rel="stylesheet" href="${sheet}">${rows}`)
  // By turns, so that what else the machine does falls on both.
  const results = { floor: [] as Scrolled[], product: [] as Scrolled[] }
  const rounds = isQuick() ? 1 : 4
  for (let round = 0; round < rounds; round++) {
    results.floor.push(await scroll(staticPage))
    results.product.push(await scroll(page))
  }
  await staticPage.close()
  await page.close()
  const drawn = Math.max(...results.product.map((each) => each.rows))
  const [floor, product] = [works(results.floor), works(results.product)]
  const share = shareInTime(product)
  return {
    name: `Scroll through ${short(QUEUED)} rows for 10 s`,
    aim: 'fewer than 80 rows in the document; 99 % of the frames below 16.7 ms',
    failures: failuresOf({ rows: drawn < 80, frames: share >= 0.99 }),
    found: [
      `${drawn} rows; ${describe(product, results.product)}`,
      `200 rows of a page without scripts: ${describe(floor, results.floor)}`,
    ],
    how: 'Work of a frame: from its scroll event until it is painted; 60 px a frame. The static page, with the same style sheet, scrolls up and down.',
  }
}

function works(rounds: readonly Scrolled[]): number[] {
  return rounds.flatMap((each) => each.works)
}

function shareInTime(times: readonly number[]): number {
  return times.filter((ms) => ms < FRAME_MS).length / times.length
}

function describe(times: readonly number[], rounds: readonly Scrolled[]): string {
  const costs = rounds.map(({ cost }) => cost)
  const sum = (of: keyof MainThread): number => costs.reduce((total, each) => total + each[of], 0)
  const cost = { all: sum('all'), script: sum('script'), style: sum('style'), layout: sum('layout') }
  return `${(shareInTime(times) * 100).toFixed(1)} % of ${times.length} frames in time, p50 ${short(median(times))}, p99 ${short(quantile(times, 0.99))}, slowest ${short(Math.max(...times))} ms; a frame ${costOf(cost, times.length)}`
}

async function scroll(page: Page): Promise<Scrolled> {
  await page.bringToFront()
  await page.evaluate(`(${SCROLL})(300)`)
  const cdp = await page.context().newCDPSession(page)
  const costSince = await mainThreadOf(cdp)
  const result = await page.evaluate<Omit<Scrolled, 'cost'>>(`(${SCROLL})(${isQuick() ? 500 : 2_500})`)
  const cost = await costSince()
  await cdp.detach()
  return { ...result, cost }
}

/** The first conversation, often. */
async function fillQueue({ seeder }: Bench, conversation: string): Promise<void> {
  const [row] = await seeder.query<{ columns: string; waiting: number }>(
    `select string_agg(column_name, ', ') as columns,
       (select count(*)::int from conversation where status = 'queued') as waiting
     from information_schema.columns where table_name = 'conversation' and is_generated = 'NEVER'`,
  )
  const { columns, waiting } = row!
  await seeder.query(
    `insert into conversation (${columns})
     select ${columns.replaceAll(/\w+/g, 'copy.$&')} from conversation c, generate_series(1, $2::int) n,
       lateral jsonb_populate_record(null::conversation, to_jsonb(c) || jsonb_build_object('id', gen_random_uuid(),
         'slug', 'many-' || n, 'preview', 'number ' || n, 'queued_at', c.queued_at + make_interval(secs => n))) as copy
     where c.id = $1`,
    [conversation, QUEUED - waiting],
  )
}
