import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { buildWeb, hasBrowser, launch, openTab, type Tab, type TabOptions } from './browser.js'
import { signIn, startOffice, type TestOffice } from './office.js'
import type { MadeUser } from '../../support/factories.js'

/** Basis of a suite of browser tests; there from the first test on. */
export interface World {
  office: TestOffice
  browser: Browser
  /** Opens a tab, which is closed after the test. What it threw or was refused fails the test. */
  open(path: string, options?: Omit<TabOptions, 'url'>): Promise<Tab>
  /** Opens the console, signs in there, and goes to `path`, such as `/queue`. */
  openConsole(who: MadeUser, path?: string, options?: Omit<TabOptions, 'url'>): Promise<Tab>
}

/** A suite with a server, an office and a browser; skipped, aloud, where there is no browser. */
export function describeInBrowser(name: string, body: (world: World) => void, env: Record<string, string> = {}): void {
  const withBrowser = hasBrowser ? describe : describe.skip
  withBrowser(name, () => {
    const tabs: Tab[] = []
    const world = {
      async open(path, options = {}) {
        const url = URL.canParse(path) ? path : world.office.url + path
        const tab = await openTab(world.browser, { ...options, url })
        tabs.push(tab)
        return tab
      },
      async openConsole(who, path = '', options = {}) {
        const tab = await world.open('/console', options)
        await signIn(tab.page, who)
        if (path) await tab.page.goto(`${world.office.url}/console${path}`)
        return tab
      },
    } as World
    beforeAll(async () => {
      buildWeb()
      world.office = await startOffice(env)
      world.browser = await launch()
      // A cold start of everything, on a machine that is busy with other suites.
    })
    afterEach(async () => {
      const faults = tabs.flatMap((tab) => tab.faults)
      const contexts = new Set(tabs.splice(0).map(({ context }) => context))
      for (const context of contexts) {
        // A request that the page sends at its end is still in a test's handler: nobody is left to tell of its error.
        const targets = [context, ...context.pages()]
        // One that the test has closed itself has none.
        await Promise.allSettled(targets.map((target) => target.unrouteAll({ behavior: 'ignoreErrors' })))
        await context.close()
      }
      expect(faults).toEqual([])
    })
    afterAll(async () => {
      await world.browser?.close()
      await world.office?.close()
    })
    body(world)
  })
}

const TRANSITIONS_END = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect?.getTiming().iterations !== Infinity).map(({ finished }) => finished)).then(() => null)`

/** The rules of WCAG that are broken, as far as a machine can tell. Frames of messages are other people's pages. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // A button that has just been enabled has not yet the colours that it keeps.
  await page.evaluate(TRANSITIONS_END)
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([])
}
