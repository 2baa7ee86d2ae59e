import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'

/**
 * Rooms from the ground up: each imports only from the lines before its own, so that rooms of one line do not know each
 * other. A file that lies directly in `src` is a room of its name. A new room gets its place here.
 */
const ORDER = [
  ['errors', 'metrics', 'redis-url'],
  ['redis'],
  ['config'],
  ['json', 'content', 'glossary'],
  ['input'],
  ['db'],
  ['access'],
  ['context'],
  ['lists', 'jobs', 'limits', 'outbound'],
  ['events', 'presence'],
  ['sharing'],
  ['organizations'],
  ['users'],
  ['auth', 'channels', 'contacts', 'services'],
  ['forms', 'articles', 'locations', 'attachments'],
  ['files'],
  ['workflows', 'messages'],
  ['conversations'],
  ['search'],
  ['touchpoints'],
  ['graphql'],
  ['http', 'realtime', 'webhooks'],
  ['rest-compat'],
  ['entities', 'domain', 'schema'],
  ['server', 'print-schema'],
  ['main'],
]
/** What moves requests and events about decides nothing about what is in them. */
const TRANSPORTS = ['graphql', 'http', 'realtime', 'rest-compat']
const DOMAIN = [
  'organizations', 'users', 'auth', 'channels', 'contacts', 'services', 'forms', 'articles', 'locations', 'attachments',
  'files', 'workflows', 'messages', 'conversations',
]
const REST_COMPAT_MAY_IMPORT = ['src/errors.ts', 'src/graphql/operations.ts']
const LINES_MAX = 300

interface SourceFile {
  path: string
  room: string
  text: string
  imports: { path: string; room: string }[]
}

describe('the rooms of the source', () => {
  let files: SourceFile[]
  beforeAll(async () => {
    files = []
    for await (const path of glob(['src/**/*.ts', 'rest-compat/**/*.ts'])) files.push(read(path))
  })

  it('are all found', () => {
    expect(files.length).toBeGreaterThan(200)
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(1_000)
  })

  it('have a place in the order', () => {
    const known = new Set(ORDER.flat())
    expect(unique(files.map(({ room }) => room).filter((room) => !known.has(room)))).toEqual([])
  })

  it('import from lower rooms only', () => {
    const level = new Map(ORDER.flatMap((rooms, index) => rooms.map((room) => [room, index])))
    const upward = eachImport(files, (file, imported) => {
      return file.room !== imported.room && level.get(imported.room)! >= level.get(file.room)!
    })
    expect(upward).toEqual([])
  })

  it('leave the domain to itself where they transport', () => {
    const knowing = eachImport(files, (file, imported) => {
      return TRANSPORTS.includes(file.room) && DOMAIN.includes(imported.room)
    })
    expect(knowing).toEqual([])
  })

  it('are behind the operation runner and the error map for rest-compat', () => {
    const others = eachImport(files, (file, imported) => {
      return file.room === 'rest-compat' && imported.room !== 'rest-compat' && !REST_COMPAT_MAY_IMPORT.includes(imported.path)
    })
    expect(others).toEqual([])
  })

  it('read the environment in config.ts alone', () => {
    expect(paths(files.filter(({ text }) => /\bprocess\.env\b|from 'node:process'/.test(text)))).toEqual(['src/config.ts'])
  })

  it('write the status of a conversation in transitions.ts alone', () => {
    const writers = files.filter(({ room, text }) => room === 'conversations' && /onversation\.status = /.test(text))
    expect(paths(writers)).toEqual(['src/conversations/transitions.ts'])
  })

  it('are no drawers', () => {
    expect(paths(files.filter(({ path }) => /(^|\/)(utils?|helpers?|types|interfaces|common)(\/|\.ts$)/.test(path)))).toEqual([])
  })

  it(`have files of at most ${LINES_MAX} lines`, () => {
    // A migration is a list of statements, in one file for good.
    const others = files.filter(({ path }) => !path.startsWith('src/db/migrations/'))
    expect(paths(others.filter(({ text }) => text.split('\n').length - 1 > LINES_MAX))).toEqual([])
  })
})

/** `import`, `export … from` and `import()` of a relative path, types among them: a type is knowledge as well. */
const IMPORT = /(?:^(?:import|export)\b[^'"`;]*?\bfrom\s+|^import\s+|\bimport\()'(\.[^']+)'/gm

function read(path: string): SourceFile {
  const text = readFileSync(path, 'utf8')
  const imports = [...text.matchAll(IMPORT)].map(([, specifier]) => {
    const imported = join(dirname(path), specifier.replace(/\.js$/, '.ts'))
    return { path: imported, room: roomOf(imported) }
  })
  return { path, room: roomOf(path), text, imports }
}

function roomOf(path: string): string {
  const [top, room] = path.split('/')
  return top === 'src' ? room.replace(/\.ts$/, '') : top
}

function eachImport(files: SourceFile[], isWrong: (file: SourceFile, imported: SourceFile['imports'][0]) => boolean): string[] {
  return files.flatMap((file) => {
    return file.imports.filter((imported) => isWrong(file, imported)).map((imported) => `${file.path} imports ${imported.path}`)
  })
}

function paths(files: SourceFile[]): string[] {
  return files.map(({ path }) => path).toSorted()
}

function unique(names: string[]): string[] {
  return [...new Set(names)].toSorted()
}
