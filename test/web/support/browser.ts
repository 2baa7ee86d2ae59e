import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type ConsoleMessage, type Page } from 'playwright-core'
import { MUST_RUN_ALL } from '../../support/programs.js'
import { PATIENCE_MS, until } from '../../support/until.js'

/** Paths at which Debian puts it; the gate installs it. */
const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = PATHS.find((path) => existsSync(path))

/** Said aloud: a suite that did not run must not look like one that passed. */
export const hasBrowser = executablePath !== undefined
if (!hasBrowser) {
  const message = 'NO BROWSER: the suites of test/web are SKIPPED. Install one: apt-get install chromium'
  if (MUST_RUN_ALL) throw new Error(message)
  process.stderr.write(`\n${'='.repeat(80)}\n${message}\n${'='.repeat(80)}\n`)
}

/** Builds what the server serves, if it is not up to date. */
export function buildWeb(): void {
  execFileSync(process.execPath, ['web/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] })
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

export interface Tab {
  page: Page
  context: BrowserContext
  /** Errors that the page threw, and requests that it was refused: it is to be empty at the end. */
  faults: string[]
}

export interface TabOptions {
  url: string
  viewport?: { width: number; height: number }
  colorScheme?: 'light' | 'dark'
  /** The browser's language; British English by default. */
  locale?: string
  /** Tabs of one context are tabs of one browser. */
  context?: BrowserContext
}

/** Opens a tab and keeps what goes wrong in it. */
export async function openTab(
  browser: Browser,
  { url, viewport, colorScheme, locale = 'en-GB', context: given }: TabOptions,
): Promise<Tab> {
  const context =
    given ?? (await browser.newContext({ viewport: viewport ?? { width: 1280, height: 860 }, colorScheme, locale }))
  // Also for pages that a test opens in it by itself.
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`threw ${error.message}`))
  page.on('console', (message: ConsoleMessage) => {
    // A request that fails is told by the product itself; what the policy refuses is a fault of ours.
    if (message.type() === 'error' && !/^Failed to load resource|^WebSocket connection/.test(message.text()))
      faults.push(message.text())
  })
  if (process.env.WEB_LOG)
    page.on('console', (message) => process.stderr.write(`${message.type()}: ${message.text()}\n`))
  if (process.env.WEB_LOG) page.on('pageerror', (error) => process.stderr.write(`${error.stack}\n`))
  await page.goto(url)
  return { page, context, faults }
}

/** Kept beside the coverage, to be looked at. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync('coverage/screens', { recursive: true })
  await page.screenshot({ path: `coverage/screens/${name}.png` })
}

export { until as eventually }

/** Presses letters where they are commands, when they are taken for text no more: 600 ms after the focus came. */
export async function pressKeys(page: Page, zone: 'list' | 'log', ...keys: string[]): Promise<void> {
  const target = page.locator(zone === 'log' ? '[role=log]' : '.list-col .scroll')
  // None is a command while something is open over the screen, or is being loaded.
  await page.locator('dialog[open], [aria-busy=true]').first().waitFor({ state: 'detached' })
  await target.focus()
  await page.waitForTimeout(700)
  // The browser has them one right after the other, also when the page is late with the first: two letters that belong
  // together come within 1.5 s.
  await Promise.all(keys.map((key) => page.keyboard.press(key)))
}

/** Reads all that the browser keeps of what was typed, sealed or not yet, as whoever opens its tools sees it. */
export function keptRows(
  page: Page,
  tables: readonly ('drafts' | 'outbox')[] = ['drafts', 'outbox'],
): Promise<string[]> {
  return page.evaluate(`(async () => {
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const isBytes = (value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value)
    const shown = (value) => isBytes(value) ? new TextDecoder().decode(value)
      : typeof value === 'object' ? JSON.stringify(value) : String(value)
    const database = await done(indexedDB.open('switchboard'))
    const rows = await Promise.all(${JSON.stringify(tables)}.map((table) =>
      done(database.transaction(table).objectStore(table).getAll())))
    database.close()
    return rows.flat().map((row) => Object.values(row).map(shown).join(' '))
  })()`)
}
