import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { failuresOf, type Check } from '../../harness/figures.js'
import { until, type Scene } from './browser.js'
import { SHIFTS, WATCH_SHIFTS } from './in-page.js'

/** Bound of the shift that browsers call good. */
const CLS_MAX = 0.1
const PICTURE = '/web/picture-of-the-bench.svg'
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600"/></svg>'

interface Shifts {
  /** Cumulative layout shift: the worst window of at most 5 s. */
  cls: number
  /** The element that moved most. */
  most: string
}

/** Measures what moves by itself: while screens open, while messages and rows arrive, while pictures load. */
export async function layoutShifts({ context, bench: { url }, office }: Scene): Promise<Check> {
  const page = await context.newPage()
  await page.addInitScript(WATCH_SHIFTS)
  await page.route(`**${PICTURE}`, async (route) => {
    await sleep(400)
    await route.fulfill({ contentType: 'image/svg+xml', body: SVG })
  })
  const found: Record<string, Shifts> = {}
  const note = async (name: string): Promise<void> => {
    await sleep(700)
    found[name] = await page.evaluate<Shifts>(SHIFTS)
  }
  const id = await office.arrive('the beginning')
  for (let count = 0; count < 40; count++) await office.say(id, 'word '.repeat(1 + ((count * 7) % 60)))

  await page.goto(`${url}/console/queue`)
  await page.getByRole('list', { name: 'Queue' }).getByRole('listitem').first().waitFor()
  await note('the queue opens')
  for (let count = 0; count < 5; count++) await office.arrive(`one more ${count}`)
  await note('rows arrive')
  await page.goto(`${url}/console/c/${id}`)
  await page.getByRole('log').locator('.bub').last().waitFor()
  await note('a conversation opens')
  for (let count = 0; count < 10; count++) await office.say(id, `arrival ${count}`)
  await page.getByText('arrival 9', { exact: true }).last().waitFor()
  await note('messages arrive')
  await office.say(id, url + PICTURE, 'IMAGE_PNG')
  await page.locator('.log .pic').last().waitFor()
  await until(page, `document.querySelector('.log .pic').complete`)
  await note('a picture loads')
  const moved = await readsOn(page, id, office.say)
  await page.close()
  const sum = Math.max(...Object.values(found).map(({ cls }) => cls))
  return {
    name: 'What moves by itself',
    aim: `cumulative layout shift at most ${CLS_MAX} of each; nothing moves under who reads back`,
    failures: failuresOf({ shifts: sum <= CLS_MAX, 'what is read': moved === 0 }),
    found: [
      ...Object.entries(found).map(([name, { cls, most }]) => `${name}: ${cls.toFixed(3)}${most && ` (${most})`}`),
      `what is read, while 10 messages arrive below it: moved by ${moved} px`,
    ],
    how: 'PerformanceObserver of layout-shift, without those within half a second of a key or a click, as the browser counts them.',
  }
}

/** Reads back while messages arrive. @returns pixels by which what was read has moved */
async function readsOn(page: Page, id: string, say: Scene['office']['say']): Promise<number> {
  const top = `Math.round(globalThis.read.getBoundingClientRect().top)`
  await page.evaluate(`(() => {
    const log = document.querySelector('[role=log]')
    log.scrollTop = -800
    const middle = log.getBoundingClientRect().top + log.clientHeight / 2
    globalThis.read = [...log.querySelectorAll('.bub')].find((each) => each.getBoundingClientRect().top > middle)
  })()`)
  await sleep(300)
  const before = await page.evaluate<number>(top)
  for (let count = 0; count < 10; count++) await say(id, `below ${count}`)
  await sleep(1_000)
  return Math.abs((await page.evaluate<number>(top)) - before)
}
