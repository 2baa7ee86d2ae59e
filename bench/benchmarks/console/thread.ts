import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { failuresOf, isQuick, median, quantile, short, type Check } from '../../harness/figures.js'
import { Screen } from '../../harness/screen.js'
import { costOf, mainThreadOf, openBarePage, throttled, until, type Scene } from './browser.js'
import { BARE_THREAD, WATCH_SOCKET } from './in-page.js'

/** Messages as fast as they are sent, into a conversation that is open. */
export async function eventToFrame(scene: Scene, rate: number, aimMs: number): Promise<Check> {
  const { context, bench, office } = scene
  const count = isQuick() ? 20 : 1_000
  const bare = await office.arrive('a bare page')
  const floorPage = await openBarePage(
    context,
    bench.url,
    `<script>${WATCH_SOCKET}</script><script>${BARE_THREAD}</script>`,
  )
  await floorPage.evaluate(`openThread(${JSON.stringify({ token: office.token, id: bare })})`)
  await until(floorPage, 'isOpen')
  const floor = await measure(scene, floorPage, { rate, conversation: bare, count: Math.min(count, 300) })

  const conversation = await office.arrive('the first')
  const page = await context.newPage()
  await page.addInitScript(WATCH_SOCKET)
  await page.goto(`${bench.url}/console/c/${conversation}`)
  await page.getByRole('log').locator('.bub').first().waitFor()
  const found = await measure(scene, page, { rate, conversation, count })
  const p95 = quantile(found.delays, 0.95)
  return {
    name: `Event to the frame that shows it, in an open conversation${rate > 1 ? ', CPU at a quarter' : ''}`,
    aim: `p95 at most ${aimMs} ms`,
    failures: failuresOf({ p95: p95 <= aimMs }),
    found: [
      `p50 ${short(median(found.delays))} ms, p95 ${short(p95)} ms of ${found.delays.length}; ${costOf(found.cost, count)} a message; ${found.nodes} elements in the log`,
      `a bare page that appends a line: p50 ${short(median(floor.delays))} ms, p95 ${short(quantile(floor.delays, 0.95))} ms of ${floor.delays.length}; ${costOf(floor.cost, floor.delays.length)}`,
      `until a bare socket has read it, the server's part: p50 ${short(median(found.server))} ms, p95 ${short(quantile(found.server, 0.95))} ms (beside the bare page ${short(quantile(floor.server, 0.95))})`,
    ],
    how: "From the event's `at`, by the server's clock on the same machine, to the end of the first frame that has the message.",
  }
}

interface Sending {
  rate: number
  conversation: string
  count: number
}

async function measure({ bench, office }: Scene, page: Page, { rate, conversation, count }: Sending) {
  const screen = new Screen({ url: bench.url, token: office.token, conversations: [conversation] })
  await screen.open()
  const cdp = await throttled(page, rate)
  const costSince = await mainThreadOf(cdp)
  for (let sent = 1; sent <= count; sent++) {
    await office.say(conversation, `number ${rate}.${sent}!`)
    await sleep(10)
  }
  await until(page, `delays.length >= ${count}`)
  const cost = await costSince()
  const delays = await page.evaluate<number[]>('delays')
  const nodes = await page.evaluate<number>(`document.querySelectorAll('[role=log] *').length`)
  await page.close()
  screen.cut()
  return { delays, cost, nodes, server: screen.latencies }
}
