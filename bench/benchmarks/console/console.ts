import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type BrowserContext, type CDPSession, type Page } from 'playwright-core'
import type { Bench } from '../../harness/bench.js'
import { failuresOf, isQuick, median, quantile, short, type Check } from '../../harness/figures.js'
import { PRESS_J, REPLAY, SCROLL, WATCH_SOCKET } from './in-page.js'
import { openOffice, type BenchOffice } from './office.js'

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const QUEUED = 10_000
const FRAME_MS = 16.7

interface Scene {
  bench: Bench
  context: BrowserContext
  office: BenchOffice
  /** A conversation that waits. */
  first: string
}

const PARTS = {
  widget: widgetLoader,
  start: workingJ,
  event: (scene: Scene) => eventToFrame(scene, 1, 50),
  'event-slow': (scene: Scene) => eventToFrame(scene, 4, 120),
  heap: heapAfterReplay,
  scroll: scrolledQueue,
} satisfies Record<string, (scene: Scene) => Promise<Check>>

export type ConsolePart = keyof typeof PARTS
export const CONSOLE_PARTS = Object.keys(PARTS) as ConsolePart[]

/** The console and the widget in a real browser, at the speed of this machine or at a quarter of it. */
export async function benchConsole(bench: Bench, parts: readonly ConsolePart[]): Promise<Check[]> {
  const executablePath = BROWSERS.find((path) => existsSync(path))
  if (!executablePath) throw new Error('no browser: apt-get install chromium')
  const office = await openOffice(bench)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
    await signIn(context, bench.url, office)
    const first = await office.arrive('the first')
    for (let count = 0; count < 20; count++) await office.arrive(`waiting ${count}`)
    const checks: Check[] = []
    for (const part of parts) checks.push(await PARTS[part]({ bench, context, office, first }))
    return checks
  } finally {
    await browser.close()
  }
}

async function signIn(context: BrowserContext, url: string, { owner }: BenchOffice): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${url}/console`)
  await page.getByRole('textbox', { name: 'Email' }).fill(owner.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.close()
}

async function throttled(page: Page, rate: number): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate })
  return cdp
}

/** The policy of the page forbids the driver's own waiting, which evaluates text. @throws Error after 30 s */
async function until(page: Page, condition: string): Promise<void> {
  for (let count = 0; count < 300; count++) {
    if (await page.evaluate<boolean>(condition)) return
    await sleep(100)
  }
  throw new Error(`it did not come to hold: ${condition}`)
}

async function workingJ({ context, bench: { url } }: Scene): Promise<Check> {
  const times: number[] = []
  for (let round = 0; round < (isQuick() ? 1 : 7); round++) {
    const page = await context.newPage()
    await throttled(page, 4)
    await page.addInitScript(PRESS_J)
    await page.goto(`${url}/console/queue`)
    await until(page, 'pressed !== null')
    times.push(await page.evaluate<number>('pressed'))
    await page.close()
  }
  return {
    name: 'Navigation to a working J, CPU at a quarter',
    aim: 'median at most 1,500 ms',
    failures: failuresOf({ median: median(times) <= 1_500 }),
    found: [`median ${short(median(times))} ms, slowest ${short(Math.max(...times))} ms of ${times.length}`],
    how: 'From the start of the navigation, with the files in the cache, until the key has put the focus on a row.',
  }
}

async function eventToFrame({ context, bench, office, first }: Scene, rate: number, aimMs: number): Promise<Check> {
  const page = await context.newPage()
  await page.addInitScript(WATCH_SOCKET)
  await page.goto(`${bench.url}/console/c/${first}`)
  await page.getByRole('log').locator('.bub').first().waitFor()
  await throttled(page, rate)
  const count = isQuick() ? 20 : 1_000
  for (let sent = 1; sent <= count; sent++) {
    await office.say(first, `number ${rate}.${sent}!`)
    await sleep(10)
  }
  await until(page, `delays.length >= ${count}`)
  const delays = await page.evaluate<number[]>('delays')
  await page.close()
  const p95 = quantile(delays, 0.95)
  return {
    name: `Event to the frame that shows it, in an open conversation${rate > 1 ? ', CPU at a quarter' : ''}`,
    aim: `p95 at most ${aimMs} ms`,
    failures: failuresOf({ p95: p95 <= aimMs }),
    found: [`p50 ${short(median(delays))} ms, p95 ${short(p95)} ms of ${delays.length}`],
    how: "From the event's `at`, by the server's clock on the same machine, to the end of the first frame that has the message.",
  }
}

async function heapAfterReplay({ context, bench: { url } }: Scene): Promise<Check> {
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

async function scrolledQueue({ context, bench, first }: Scene): Promise<Check> {
  const { url } = bench
  await fillQueue(bench, first)
  const page = await context.newPage()
  await page.goto(`${url}/console/queue`)
  await page.getByText(`${QUEUED} waiting`, { exact: true }).first().waitFor({ timeout: 60_000 })
  await page.evaluate(`(${SCROLL})(500)`)
  const result = await page.evaluate<{ works: number[]; rows: number }>(`(${SCROLL})(${isQuick() ? 500 : 10_000})`)
  await page.close()
  const { works, rows } = result
  const share = works.filter((ms) => ms < FRAME_MS).length / works.length
  return {
    name: `Scroll through ${short(QUEUED)} rows for 10 s`,
    aim: 'fewer than 80 rows in the document; 99 % of the frames below 16.7 ms',
    failures: failuresOf({ rows: rows < 80, frames: share >= 0.99 }),
    found: [
      `${rows} rows; ${(share * 100).toFixed(1)} % of ${works.length} frames, p99 ${short(quantile(works, 0.99))} ms, slowest ${short(Math.max(...works))} ms`,
    ],
    how: 'Work of a frame: from its scroll event until it is painted; 60 px a frame.',
  }
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

/** Time of all scripts of a page that has the widget's one line, less that of the same page without it. */
async function widgetLoader({ context, bench: { url }, office: { service } }: Scene): Promise<Check> {
  const scriptMs = async (line: string): Promise<number> => {
    const page = await context.newPage()
    const cdp = await throttled(page, 4)
    await cdp.send('Performance.enable')
    const body = `<!doctype html><title>Page</title><h1>Page</h1>${line}`
    await page.route('**/page-of-the-bench', (route) => route.fulfill({ contentType: 'text/html', body }))
    await page.goto(`${url}/page-of-the-bench`)
    if (line) await page.getByRole('button', { name: 'Open chat' }).waitFor()
    // Without the client of the browser's driver, which runs in the page too: read before anything else is asked.
    await sleep(300)
    const { metrics } = await cdp.send('Performance.getMetrics')
    await page.close()
    return 1_000 * metrics.find(({ name }) => name === 'ScriptDuration')!.value
  }
  const times: number[] = []
  for (let round = 0; round < (isQuick() ? 1 : 7); round++) {
    const without = await scriptMs('')
    times.push((await scriptMs(`<script async src="/widget.js" data-service="${service}"></script>`)) - without)
  }
  return {
    name: "The widget's script before a tap, CPU at a quarter",
    aim: 'median at most 30 ms',
    failures: failuresOf({ median: median(times) <= 30 }),
    found: [`median ${short(median(times))} ms, most ${short(Math.max(...times))} ms of ${times.length}`],
    how: 'ScriptDuration of a page with the one line less that of the page without it; what the test driver runs in the page to find the button counts too.',
  }
}
