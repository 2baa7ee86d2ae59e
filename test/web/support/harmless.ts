import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'

/** Elements that run or load something, wherever it comes from, or lie over the page. */
const CODE = [
  '[onerror]',
  '[onload]',
  'script:not([src])',
  'a[href^="javascript"]',
  'iframe[src^="javascript"]',
  'img[src="x"]',
  'math',
  '[style*="fixed"]',
]

/** Nothing of {@link HOSTILE} has run, and nothing stands in the page that would. @param except what is the page's own */
export async function expectHarmless(page: Page, where: string, except: readonly string[] = []): Promise<void> {
  const ran = await Promise.all(
    page.frames().map((frame) => frame.evaluate(() => (globalThis as { ran?: number }).ran).catch(() => undefined)),
  )
  expect([where, ran.filter((each) => each !== undefined)]).toEqual([where, []])
  const found = await page
    .locator(CODE.filter((each) => !except.includes(each)).join(', '))
    .evaluateAll((elements) => elements.map(({ outerHTML }) => outerHTML.slice(0, 200)))
  expect([where, found]).toEqual([where, []])
  expect(await page.title()).not.toBe('1')
}
