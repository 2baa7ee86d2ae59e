import { beforeAll, describe, expect, it } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { buildWeb } from './support/browser.js'

/** Bytes that go over the wire, gzipped. */
const BUDGETS = {
  'the console, until an agent works': 60 * 1_024,
  'the style of the console': 12_000,
  'the administration, once it is opened': 60_000,
  // Beside what it shares with the other dialogs.
  'acts with many conversations': 6 * 1_024,
  'the page of a contact': 9 * 1_024,
  'the widget before a click': 2_000,
  'the widget with its chat': 15 * 1_024,
  'the widget with cards, forms, HTML and uploads': 21 * 1_024,
}

const PUBLIC = 'dist/public'
const names = (): string[] => readdirSync(PUBLIC).map((file) => basename(file, '.gz'))
const fileOf = (pattern: RegExp): string => names().find((name) => pattern.test(name)) ?? `none is ${pattern}`
const bytesOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, name) => sum + readFileSync(`${PUBLIC}/${name}.gz`).length, 0)

/** The file, and those that it imports before it runs. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const text = gunzipSync(readFileSync(`${PUBLIC}/${name}.gz`)).toString()
  for (const [, imported] of text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) withImports(imported!, found)
  return found
}

describe('the pages weigh no more than their budgets', () => {
  beforeAll(buildWeb)

  it('each, gzipped', () => {
    const console_ = withImports(fileOf(/^console-\w+\.js$/))
    const admin = withImports(fileOf(/^admin-\w+\.js$/)).difference(console_)
    const widget = withImports('widget.js')
    const chat = widget.union(withImports(fileOf(/^start-\w+\.js$/)))
    const rich = chat.union(withImports(fileOf(/^rich-\w+\.js$/))).union(withImports(fileOf(/^upload-\w+\.js$/)))
    const weights: Record<keyof typeof BUDGETS, number> = {
      'the console, until an agent works': bytesOf(console_),
      'the style of the console': bytesOf([fileOf(/^style-\w+\.css$/)]),
      'the administration, once it is opened': bytesOf(admin),
      'acts with many conversations': bytesOf([fileOf(/^bulk-\w+\.js$/)]),
      'the page of a contact': bytesOf(withImports(fileOf(/^contacts-\w+\.js$/)).difference(console_)),
      'the widget before a click': bytesOf(widget),
      'the widget with its chat': bytesOf(chat),
      'the widget with cards, forms, HTML and uploads': bytesOf(rich),
    }
    process.stdout.write(`${JSON.stringify(weights, null, 2)}\n`)
    const over = Object.entries(weights).filter(([name, bytes]) => bytes > BUDGETS[name as keyof typeof BUDGETS])
    expect(over).toEqual([])
    // What was not found would weigh nothing.
    for (const bytes of Object.values(weights)) expect(bytes).toBeGreaterThan(500)
  })
})
