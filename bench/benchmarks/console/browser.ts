import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core'
import type { Bench } from '../../harness/bench.js'
import { short } from '../../harness/figures.js'
import type { BenchOffice } from './office.js'

/** Tools with which each part measures. */
export interface Scene {
  bench: Bench
  context: BrowserContext
  office: BenchOffice
  /** A conversation that waits. */
  first: string
}

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** @throws Error without a browser */
export function browserPath(): string {
  const path = BROWSERS.find((each) => existsSync(each))
  if (!path) throw new Error('no browser: apt-get install chromium')
  return path
}

export function launch(): Promise<Browser> {
  // A page that this process answers is at no address, and would not be let to one on this machine.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-features=LocalNetworkAccessChecks']
  return chromium.launch({ executablePath: browserPath(), args })
}

export async function throttled(page: Page, rate: number): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate })
  return cdp
}

/** The policy of the page forbids the driver's own waiting, which evaluates text. @throws Error after 30 s */
export async function until(page: Page, condition: string): Promise<void> {
  for (let count = 0; count < 300; count++) {
    if (await page.evaluate<boolean>(condition)) return
    await sleep(100)
  }
  throw new Error(`it did not come to hold: ${condition}`)
}

/** A page that is not ours, at the server's address. */
export async function openBarePage(context: BrowserContext, url: string, body: string): Promise<Page> {
  const page = await context.newPage()
  const contents = `<!doctype html><html lang="en"><title>Page</title>${body}`
  await page.route('**/page-of-the-bench', (route) => route.fulfill({ contentType: 'text/html', body: contents }))
  await page.goto(`${url}/page-of-the-bench`)
  return page
}

/** Milliseconds of the page's main thread by what they were spent on. */
export interface MainThread {
  all: number
  script: number
  style: number
  layout: number
}

/** CPU time of the page's main thread, which does not count what else the machine does. @returns reads it since the start */
export async function mainThreadOf(cdp: CDPSession): Promise<() => Promise<MainThread>> {
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async (): Promise<MainThread> => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    const ms = (wanted: string): number => 1_000 * metrics.find(({ name }) => name === wanted)!.value
    return {
      all: ms('TaskDuration'),
      script: ms('ScriptDuration'),
      style: ms('RecalcStyleDuration'),
      layout: ms('LayoutDuration'),
    }
  }
  const before = await read()
  return async () => {
    const now = await read()
    return {
      all: now.all - before.all,
      script: now.script - before.script,
      style: now.style - before.style,
      layout: now.layout - before.layout,
    }
  }
}

/** Says what one of many events cost the main thread. */
export function costOf({ all, script, style, layout }: MainThread, events: number): string {
  const each = (ms: number): string => short(ms / events)
  return `${each(all)} ms of the main thread's CPU (script ${each(script)}, style ${each(style)}, layout ${each(layout)})`
}
