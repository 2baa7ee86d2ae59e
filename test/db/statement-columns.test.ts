import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { statementName } from '../../src/platform/db/statement-names.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let tables: Set<string>
beforeAll(async () => {
  app = await startTestServer()
  const rows = await app.server.database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  tables = new Set(rows.map(({ name }) => name))
})
afterAll(() => app.close())

const QUERY = /\bquery(?:<(?:[^()<>]|<[^()<>]*>)*>)?\(/g
const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** Splits the arguments of a call. @param from behind its opening bracket */
function argumentsAt(source: string, from: number): string[] {
  const given = ['']
  const open: string[] = []
  for (let at = from; at < source.length; at++) {
    const char = source[at]!
    const inText = ["'", '`'].includes(open.at(-1)!)
    if (!inText && open.length === 0 && char === ')') break
    if (!inText && open.length === 0 && char === ',') {
      given.push('')
      continue
    }
    if (char === open.at(-1)) open.pop()
    else if (inText && open.at(-1) === '`' && source.startsWith('${', at)) {
      open.push('}')
      at += 1
    } else if (!inText) {
      if (char === "'" || char === '`') open.push(char)
      else if (CLOSING[char]) open.push(CLOSING[char])
    }
    given[given.length - 1] += char
  }
  return given.map((each) => each.trim()).filter((each) => each !== '')
}

/** Statements that are given a name, which makes them prepared statements, with the source of their text. */
function namedStatements(source: string): { name: string; text: string }[] {
  // A text may be a constant of its file, and be made of others.
  const whole = (text: string, depth = 3): string =>
    text.replace(/\b[A-Za-z_]\w+\b/g, (word) => {
      const constant = new RegExp(`\\bconst ${word}(?:: \\w+)? = ([\\s\\S]*?)(?=\\n\\n|\\n\\s*const )`).exec(
        source,
      )?.[1]
      return depth > 0 && constant && /select|returning/i.test(constant) ? whole(constant, depth - 1) : word
    })
  return [...source.matchAll(QUERY)].flatMap((call) => {
    const [text, , name] = argumentsAt(source, call.index + call[0].length)
    return name === undefined ? [] : [{ name, text: whole(text!) }]
  })
}

/** Texts that read `*` or `alias.*` of a table: of a subselect or a function it is a list that the statement itself names. */
function tablesReadWhole(text: string): string[] {
  const found: string[] = []
  for (const [, name] of text.matchAll(/\bselect \* from (\w+)\b(?! as \()/g)) if (tables.has(name!)) found.push(name!)
  for (const [, name] of text.matchAll(/\b(?:update|into|from) (\w+)\b[^`]*?\breturning \*/g))
    if (tables.has(name!)) found.push(name!)
  for (const [, alias] of text.matchAll(/\b([a-z]\w*)\.\*/g)) {
    const of = new RegExp(`\\b(?:from|join|update|into) (\\w+) (?:as )?${alias}\\b`, 'g')
    for (const [, name] of text.matchAll(of)) if (tables.has(name!)) found.push(`${name} ${alias}`)
  }
  return found
}

describe('prepared statements', () => {
  it('name their columns: a column that a migration adds changes nothing that they return', () => {
    const wrong: string[] = []
    let seen = 0
    for (const path of globSync('src/**/*.ts')) {
      for (const { name, text } of namedStatements(readFileSync(path, 'utf8'))) {
        seen += 1
        // Its name is missing if the text returns all columns, see below.
        if (name.startsWith('statementName(')) continue
        for (const table of tablesReadWhole(text)) wrong.push(`${path}, ${name}: all columns of ${table}`)
      }
    }
    expect(seen).toBeGreaterThan(100)
    expect(wrong).toEqual([])
  })

  it('are not made of composed texts that return all columns', () => {
    expect(statementName('select t.* from contact t where t.id = $1')).toBeUndefined()
    expect(statementName('select t.id from contact t where t.id = $1')).toBeDefined()
  })
})
