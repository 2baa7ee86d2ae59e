import { failuresOf, isQuick, median, short, type Check } from '../../harness/figures.js'
import { throttled, until, type Scene } from './browser.js'
import { MARKS, PRESS_J } from './in-page.js'

const AIM_MS = 1_500

export async function workingJ({ context, bench: { url } }: Scene): Promise<Check> {
  const times: number[] = []
  const marks: Record<string, number>[] = []
  for (let round = 0; round < (isQuick() ? 1 : 9); round++) {
    const page = await context.newPage()
    await throttled(page, 4)
    await page.addInitScript(PRESS_J)
    await page.goto(`${url}/console/queue`)
    await until(page, 'pressed !== null')
    times.push(await page.evaluate<number>('pressed'))
    marks.push(await page.evaluate<Record<string, number>>(MARKS))
    await page.close()
  }
  const at = (name: string): string => short(median(marks.map((each) => each[name]!)))
  return {
    name: 'Navigation to a working J, CPU at a quarter',
    aim: `median at most ${short(AIM_MS)} ms`,
    failures: failuresOf({ median: median(times) <= AIM_MS }),
    found: [
      `median ${short(median(times))} ms, slowest ${short(Math.max(...times))} ms of ${times.length}`,
      `medians: page read ${at('page')}, scripts and styles read ${at('files')}, session asked ${at('asked')}, answered ${at('session')}, socket open ${at('socket')}, accepted ${at('accepted')}, queue read ${at('queue')}`,
    ],
    how: 'From the start of the navigation, with the files in the cache, until the key has put the focus on a row.',
  }
}
