import { setTimeout as sleep } from 'node:timers/promises'
import { failuresOf, isQuick, median, short, type Check } from '../../harness/figures.js'
import { openBarePage, throttled, type Scene } from './browser.js'

const AIM_MS = 30

/** Time of all scripts of a page that has the widget's one line, less that of the same page without it. */
export async function widgetLoader({ context, bench: { url }, office: { service } }: Scene): Promise<Check> {
  const scriptMs = async (line: string): Promise<number> => {
    const page = await openBarePage(context, url, '')
    const cdp = await throttled(page, 4)
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.unroute('**/page-of-the-bench')
    const body = `<!doctype html><html lang="en"><title>Page</title><h1>Page</h1>${line}`
    await page.route('**/page-of-the-bench', (route) => route.fulfill({ contentType: 'text/html', body }))
    await page.reload()
    // Nothing is asked of the page before the figure is read: what the driver runs in it would count too.
    await sleep(1_000)
    const { metrics } = await cdp.send('Performance.getMetrics')
    const ms = 1_000 * metrics.find(({ name }) => name === 'ScriptDuration')!.value
    if (line) await page.getByRole('button', { name: 'Open chat' }).waitFor()
    await page.close()
    return ms
  }
  const [with_, without]: [number[], number[]] = [[], []]
  for (let round = 0; round < (isQuick() ? 1 : 9); round++) {
    without.push(await scriptMs(''))
    with_.push(await scriptMs(`<script async src="/widget.js" data-service="${service}"></script>`))
  }
  const ms = median(with_) - median(without)
  return {
    name: "The widget's script before a tap, CPU at a quarter",
    aim: `at most ${AIM_MS} ms`,
    failures: failuresOf({ median: ms <= AIM_MS }),
    found: [
      `${short(ms)} ms: median ${short(median(with_))} ms (most ${short(Math.max(...with_))}) with the widget, ${short(median(without))} ms without, ${with_.length} of each`,
    ],
    how: 'ScriptDuration (CPU time) of a page with the one line less that of the page without it, by turns; the test driver runs nothing in either before it is read.',
  }
}
