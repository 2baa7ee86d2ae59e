import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, it } from '@jest/globals'

const FILES = ['src', 'rest-compat', 'client/src', 'bench', 'examples', 'test', 'web', '.ci'].map(
  (folder) => `${folder}/**/*.{ts,tsx,js,mjs}`,
)
const NOT_WRITTEN_BY_HAND = /\/(generated|made|node_modules)\//
const DOCSTRING = /\/\*\*\s(?<text>[^]*?)\*\//g
const CLAUSE =
  /^(?:\* )?(?:What|Whatever|Who|Whoever|Whom|Whose|Where|Wherever|When|Whenever|Which|Why|How|Of|Whether|That)\b/

/** A docstring opens with a verb or with the thing: a noun clause ("What is shown") hides which of them it is about. */
it('opens no docstring with a clause', async () => {
  const opened: string[] = []
  let count = 0
  for await (const path of glob(FILES)) {
    if (NOT_WRITTEN_BY_HAND.test(path)) continue
    const source = readFileSync(path, 'utf8')
    for (const { groups, index } of source.matchAll(DOCSTRING)) {
      count++
      const text = groups!.text!.trim()
      if (CLAUSE.test(text)) opened.push(`${path}:${source.slice(0, index).split('\n').length} ${text.split('\n')[0]}`)
    }
  }
  expect(count).toBeGreaterThan(2_000)
  expect(opened).toEqual([])
})
