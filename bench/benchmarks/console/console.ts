import type { BrowserContext } from 'playwright-core'
import type { Bench } from '../../harness/bench.js'
import type { Check } from '../../harness/figures.js'
import { launch, type Scene } from './browser.js'
import { openOffice, type BenchOffice } from './office.js'
import { lighthouse } from './lighthouse.js'
import { heapAfterReplay, scrolledQueue } from './queue.js'
import { layoutShifts } from './shifts.js'
import { workingJ } from './start.js'
import { eventToFrame } from './thread.js'
import { widgetLoader } from './widget.js'

const PARTS = {
  widget: widgetLoader,
  lighthouse,
  start: workingJ,
  event: (scene: Scene) => eventToFrame(scene, 1, 50),
  'event-slow': (scene: Scene) => eventToFrame(scene, 4, 120),
  shifts: layoutShifts,
  heap: heapAfterReplay,
  scroll: scrolledQueue,
} satisfies Record<string, (scene: Scene) => Promise<Check>>

export type ConsolePart = keyof typeof PARTS
export const CONSOLE_PARTS = Object.keys(PARTS) as ConsolePart[]

/** The console and the widget in a real browser, at the speed of this machine or at a quarter of it. */
export async function benchConsole(bench: Bench, parts: readonly ConsolePart[]): Promise<Check[]> {
  const office = await openOffice(bench)
  const browser = await launch()
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
  await page.locator('.rail .live .good').waitFor()
  await page.close()
}
