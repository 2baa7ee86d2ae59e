import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'

/**
 * Modules from the ground up: each imports only from the lines before its own, so that modules of one line do not know each
 * other. A file that lies directly in `src` is a module of its name. A new module gets its place here.
 */
const ORDER = [
  ['tracing', 'errors', 'nearest-names', 'tenant-waits', 'redis-url', 'url-credentials', 'database-address'],
  ['metrics', 'database-config'],
  ['request-json'],
  ['redis'],
  ['config'],
  ['json', 'content', 'glossary', 'fairness'],
  ['input'],
  ['db'],
  ['access'],
  ['context'],
  ['lists', 'jobs', 'limits', 'outbound', 'maintenance'],
  ['events', 'presence'],
  ['module', 'sharing'],
  ['organizations'],
  ['users'],
  ['auth', 'channels', 'contacts', 'services', 'schedules'],
  ['forms', 'articles', 'locations', 'attachments', 'canned-responses', 'staffing'],
  ['files'],
  ['workflows', 'messages'],
  ['sla'],
  ['conversations'],
  ['search', 'nodes', 'reports', 'push'],
  ['touchpoints'],
  ['privacy'],
  ['graphql'],
  ['http', 'realtime', 'webhooks'],
  ['rest-compat'],
  ['entities', 'lifecycle', 'schema'],
  ['open-database'],
  ['dependencies'],
  ['modules', 'operations', 'http-server'],
  ['server', 'print-schema', 'print-openapi', 'backup'],
  ['main', 'backup-main'],
]
/** The folders of src/conversations, from the ground up; what lies beside them registers their jobs. */
const CONVERSATIONS_ORDER = [
  'writing',
  'delivery',
  'routing',
  'messages',
  'commands',
  'sending',
  'offers',
  'clocks',
  'place',
  'api',
  'live',
  '.',
]
/** What moves requests and events about decides nothing about what is in them. */
const TRANSPORTS = ['graphql', 'http', 'realtime', 'rest-compat']
const DOMAIN = [
  'organizations',
  'users',
  'auth',
  'channels',
  'contacts',
  'services',
  'forms',
  'articles',
  'locations',
  'schedules',
  'canned-responses',
  'staffing',
  'attachments',
  'files',
  'workflows',
  'messages',
  'sla',
  'conversations',
]
const REST_COMPAT_MAY_IMPORT = ['src/errors.ts', 'src/graphql/operations.ts']
const LINES_MAX = 300
/** Files that use `ctx.database` other than for a transaction, and why a caller cannot make it dear. */
const PASSED_ON: Readonly<Record<string, string>> = {
  'src/attachments/create-attachment.ts': 'writes one row',
  'src/auth/refresh.ts': 'one row by key: signing in must not queue with what anonymous callers read',
  'src/conversations/live/watched-channels.ts': 'one read for many callers, who set up subscriptions in their turns',
  'src/conversations/sending/guest-address.ts': 'writes two rows',
  'src/lists/row-count.ts': 'the key of a cache; it reads by `ctx.reads`',
  'src/privacy/privacy-module.ts': 'a job',
  'src/touchpoints/web/guest-session.ts': 'one row by key, within the limit of new sessions of an address',
  'src/webhooks/deliver-partition.ts': 'a job',
  'src/webhooks/handshake.ts': 'a job',
}

interface SourceFile {
  path: string
  module: string
  text: string
  imports: { path: string; module: string }[]
}

describe('the modules of the source', () => {
  let files: SourceFile[]
  beforeAll(async () => {
    files = []
    for await (const path of glob(['src/**/*.ts', 'rest-compat/**/*.ts'])) files.push(read(path))
  })

  it('are all listed', () => {
    expect(files.length).toBeGreaterThan(200)
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(1_000)
  })

  it('have a position in the order', () => {
    const known = new Set(ORDER.flat())
    expect(unique(files.map(({ module }) => module).filter((module) => !known.has(module)))).toEqual([])
  })

  it('import from lower modules only', () => {
    const level = new Map(ORDER.flatMap((modules, index) => modules.map((module) => [module, index])))
    const upward = eachImport(files, (file, imported) => {
      return file.module !== imported.module && level.get(imported.module)! >= level.get(file.module)!
    })
    expect(upward).toEqual([])
  })

  it('import from lower folders only, within conversations', () => {
    const folderOf = (path: string) => relative('src/conversations', dirname(path)) || '.'
    const inside = files.filter(({ module }) => module === 'conversations')
    expect(
      unique(inside.map(({ path }) => folderOf(path)).filter((folder) => !CONVERSATIONS_ORDER.includes(folder))),
    ).toEqual([])
    const upward = eachImport(inside, (file, imported) => {
      if (imported.module !== 'conversations') return false
      return CONVERSATIONS_ORDER.indexOf(folderOf(imported.path)) > CONVERSATIONS_ORDER.indexOf(folderOf(file.path))
    })
    expect(upward).toEqual([])
    expect(paths(inside.filter(({ path }) => folderOf(path) === '.'))).toEqual([
      'src/conversations/conversation-jobs.ts',
      'src/conversations/conversations-module.ts',
      'src/conversations/departed-users.ts',
    ])
  })

  it('contain no domain rules if they are transports', () => {
    const knowing = eachImport(files, (file, imported) => {
      return TRANSPORTS.includes(file.module) && DOMAIN.includes(imported.module)
    })
    expect(knowing).toEqual([])
  })

  it('are behind the operation runner and the error map for rest-compat', () => {
    const others = eachImport(files, (file, imported) => {
      return (
        file.module === 'rest-compat' &&
        imported.module !== 'rest-compat' &&
        !REST_COMPAT_MAY_IMPORT.includes(imported.path)
      )
    })
    expect(others).toEqual([])
  })

  it('read the environment in config.ts only', () => {
    expect(paths(files.filter(({ text }) => /\bprocess\.env\b|from 'node:process'/.test(text)))).toEqual([
      'src/config.ts',
    ])
  })

  it('change the status of a conversation in transitions.ts only', () => {
    const writers = files.filter(
      ({ module, text }) => module === 'conversations' && /onversation\.status = /.test(text),
    )
    expect(paths(writers)).toEqual(['src/conversations/writing/transitions.ts'])
  })

  it("read callers' data through `ctx.reads`, which schedules fairly", () => {
    const past = files.filter(
      ({ module, text }) => module !== 'context' && /\b(ctx|system|context)\.database\.(query|snapshot)\b/.test(text),
    )
    expect(paths(past)).toEqual([])
  })

  it('connect to external servers through src/outbound, which refuses private addresses', () => {
    const connecting = files.filter(
      ({ module, text }) =>
        module !== 'outbound' &&
        /\bawait fetch\(|^import (?!type).*\b(request|connect)\b.* from 'node:(https?|net|tls)'|from 'undici'/m.test(
          text,
        ),
    )
    expect(paths(connecting)).toEqual([
      // Code that browsers run, as text.
      'rest-compat/openapi/docs-script.ts',
      'rest-compat/openapi/docs-try.ts',
      // Where to is the operator's setting, or this machine.
      'src/attachments/s3-store.ts',
      'src/db/embedded-lock.ts',
      // Code that browsers run.
      'src/graphql/browser-client-script.ts',
    ])
  })

  it('pass `ctx.database` only to listed code', () => {
    // Besides transactions, which write.
    const bare = files.filter(
      ({ module, text }) =>
        module !== 'context' && /\b(ctx|system|context)\.database\b(?!\.(sqlTransaction|asyncCommit)\b)/.test(text),
    )
    expect(paths(bare)).toEqual(Object.keys(PASSED_ON).toSorted())
  })

  it("do not import the pages' modules, nor vice versa: they share the schema", async () => {
    const pages: SourceFile[] = []
    for await (const path of glob(['web/**/*.ts', 'web/**/*.tsx'])) pages.push(read(path))
    expect(pages.length).toBeGreaterThan(20)
    const across = [
      ...eachImport(files, (_file, imported) => imported.path.startsWith('web/')),
      ...eachImport(pages, (_file, imported) => !imported.path.startsWith('web/')),
    ]
    expect(across).toEqual([])
    expect(
      paths(pages.filter(({ text }) => text.split('\n').length - 1 > LINES_MAX && !text.startsWith('// Made by'))),
    ).toEqual([])
    expect(paths(pages.filter(({ text }) => /dangerouslySetInnerHTML|\binnerHTML\b|\bstyle=\{\{/.test(text)))).toEqual(
      [],
    )
  })

  it('import in circles only where records contain each other', async () => {
    const all = [...files]
    for await (const path of glob(['web/**/*.ts', 'web/**/*.tsx', 'client/src/**/*.ts'])) all.push(read(path))
    expect(inCircles(all)).toEqual([
      // A contact has a conversation, which has a contact and messages; a category has forms of an organization.
      'rest-compat/records/contact',
      'rest-compat/records/conversation',
      'rest-compat/records/form',
      'rest-compat/records/message',
      'rest-compat/records/organization',
      // In no circle, but between two.
      'rest-compat/records/user',
    ])
  })

  it('include no catch-all folders', () => {
    expect(
      paths(files.filter(({ path }) => /(^|\/)(utils?|helpers?|types|interfaces|common)(\/|\.ts$)/.test(path))),
    ).toEqual([])
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
    return { path: imported, module: moduleOf(imported) }
  })
  return { path, module: moduleOf(path), text, imports }
}

function moduleOf(path: string): string {
  const [top, module] = path.split('/')
  return top === 'src' ? module.replace(/\.ts$/, '') : top
}

/** Returns the files that import each other in a circle, or lie between two circles, without endings. */
function inCircles(files: SourceFile[]): string[] {
  const stem = (path: string): string => path.replace(/\.tsx?$/, '')
  let left = files.map(({ path, imports }) => ({ name: stem(path), imports: imports.map((each) => stem(each.path)) }))
  for (;;) {
    const names = new Set(left.map(({ name }) => name))
    const imported = new Set(left.flatMap(({ imports }) => imports))
    const next = left.filter(({ name, imports }) => imported.has(name) && imports.some((each) => names.has(each)))
    if (next.length === left.length) return [...names].toSorted()
    left = next
  }
}

function eachImport(
  files: SourceFile[],
  isWrong: (file: SourceFile, imported: SourceFile['imports'][0]) => boolean,
): string[] {
  return files.flatMap((file) => {
    return file.imports
      .filter((imported) => isWrong(file, imported))
      .map((imported) => `${file.path} imports ${imported.path}`)
  })
}

function paths(files: SourceFile[]): string[] {
  return files.map(({ path }) => path).toSorted()
}

function unique(names: string[]): string[] {
  return [...new Set(names)].toSorted()
}
