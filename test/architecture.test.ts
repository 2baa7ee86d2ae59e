import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'

/** The folders of `src`, and which of them each may import. Beside them lie only the programs' entry files. */
const BANDS: Readonly<Record<string, readonly string[]>> = {
  platform: ['platform'],
  modules: ['platform', 'modules'],
  api: ['platform', 'api'],
  app: ['platform', 'modules', 'api', 'app', 'rest-compat'],
}
const ENTRY_FILES = [
  'audit-main',
  'backup-main',
  'center-main',
  'owner-unlock-main',
  'main',
  'routing-main',
  'print-openapi',
  'print-schema',
]
/**
 * Within a band, modules from the ground up: each imports only from the lines before its own, so that modules of one line do
 * not know each other. A file that lies directly in a band is a module of its name. A new module gets its place here.
 */
const ORDER: Readonly<Record<string, readonly (readonly string[])[]>> = {
  platform: [
    ['impossible-reasons'],
    ['tracing', 'error-reasons', 'data-dir', 'attempt-secrets'],
    ['errors', 'nearest-names', 'recent-keys', 'last-used', 'redis-url', 'url-credentials', 'database-address'],
    ['metrics', 'database-config', 'log', 'if-there'],
    ['request-json'],
    ['redis'],
    ['config'],
    ['json', 'content', 'glossary', 'fairness'],
    ['input'],
    ['timezone', 'masking', 'signature'],
    ['db'],
    ['sealing', 'counted-regularly'],
    ['access'],
    ['context'],
    ['lists', 'jobs', 'limits', 'outbound'],
    ['audit'],
    ['events', 'presence'],
    ['maintenance'],
    ['module'],
  ],
  modules: [
    ['sharing', 'touchpoint-traits'],
    ['organizations', 'touchpoint-enum'],
    ['four-eyes'],
    ['sign-in-policy'],
    ['users'],
    ['holds'],
    ['auth', 'channels', 'contacts', 'services', 'schedules'],
    [
      'forms',
      'sso',
      'articles',
      'locations',
      'attachments',
      'canned-responses',
      'labels',
      'staffing',
      'contact-centers',
    ],
    ['files', 'scim'],
    ['workflows', 'messages'],
    ['macros'],
    ['sla', 'bots'],
    ['conversations'],
    ['routing-code'],
    ['ratings', 'search', 'views', 'reports', 'push', 'audit', 'record-changes'],
    ['nodes', 'timeline'],
    ['touchpoints'],
    ['privacy', 'transcripts'],
    ['webhooks', 'retention'],
  ],
  api: [['graphql'], ['http', 'realtime'], ['mcp']],
  app: [
    ['entities', 'lifecycle', 'schema', 'routing'],
    ['open-database'],
    ['dependencies'],
    ['modules', 'operations', 'http-server'],
    ['server', 'backup'],
    ['center'],
  ],
}
/** The folders of src/modules/conversations, from the ground up; what lies beside them registers their jobs. */
const CONVERSATIONS_ORDER = [
  'state',
  'writer',
  'delivery',
  'routing',
  'messages',
  'commands',
  'sending',
  'acts',
  'proposals',
  'bulk',
  'offers',
  'clocks',
  'surveys',
  'place',
  'streaming',
  'api',
  'live',
  '.',
]
const REST_COMPAT_MAY_IMPORT = [
  'src/platform/errors.ts',
  'src/platform/nearest-names.ts',
  'src/platform/error-reasons.ts',
  'src/api/http/error-body.ts',
  'src/api/http/static-file.ts',
  'src/platform/content/page-policy.ts',
  'src/api/graphql/operations.ts',
]
const LINES_MAX = 400
/** Files that use `ctx.database` other than for a transaction, and why a caller cannot make it dear. */
const PASSED_ON: Readonly<Record<string, string>> = {
  'src/app/schema.ts': "the key of a server's resolvers; it reads nothing",
  'src/modules/attachments/create-attachment.ts': 'writes one row',
  'src/modules/auth/refresh.ts': 'one row by key: signing in must not queue with what anonymous callers read',
  'src/modules/conversations/live/watched-channels.ts':
    'one read for many callers, who set up subscriptions in their turns',
  'src/modules/conversations/sending/guest-address.ts': 'writes two rows',
  'src/platform/lists/row-count.ts': 'the key of a cache; it reads by `ctx.reads`',
  'src/modules/privacy/privacy-module.ts': 'a job',
  'src/modules/touchpoints/web/guest-session.ts': 'one row by key, within the limit of new sessions of an address',
  'src/modules/webhooks/deliver-partition.ts': 'a job',
  'src/modules/webhooks/delivery-body.ts': 'writes one row, for a job or a take that has its turn',
  'src/modules/webhooks/handshake.ts': 'a job',
  'src/modules/webhooks/feed/feed-kind.ts': 'a lock after the commit of a write',
  'src/modules/webhooks/taking/events-kind.ts': 'a lock after the commit of a write',
}

/** `band` is a folder of `src`, `rest-compat`, or empty for an entry file; `module` the folder or file below it. */
interface Position {
  path: string
  band: string
  module: string
}
interface SourceFile extends Position {
  text: string
  imports: Position[]
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

  it('lie in a band, or are entry files', () => {
    const outside = files.filter(
      ({ band, module }) => !(band in BANDS) && !(band === '' && ENTRY_FILES.includes(module)),
    )
    expect(paths(outside.filter(({ band }) => band !== 'rest-compat'))).toEqual([])
  })

  it('have a position in the order of their band', () => {
    const unplaced = files.filter(({ band, module }) => band in ORDER && !ORDER[band]!.flat().includes(module))
    expect(unique(unplaced.map(({ band, module }) => `${band}/${module}`))).toEqual([])
  })

  it('import from their band and those below it', () => {
    const upward = eachImport(
      files,
      (file, imported) => file.band in BANDS && !BANDS[file.band]!.includes(imported.band),
    )
    expect(upward).toEqual([])
  })

  it('import from lower modules only, within a band', () => {
    const level = (band: string, module: string) => ORDER[band]!.findIndex((modules) => modules.includes(module))
    const upward = eachImport(files, (file, imported) => {
      if (!(file.band in ORDER) || file.band !== imported.band || file.module === imported.module) return false
      return level(imported.band, imported.module) >= level(file.band, file.module)
    })
    expect(upward).toEqual([])
  })

  it('import from lower folders only, within conversations', () => {
    const folderOf = (path: string) => relative('src/modules/conversations', dirname(path)) || '.'
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
      'src/modules/conversations/conversation-jobs.ts',
      'src/modules/conversations/conversations-module.ts',
      'src/modules/conversations/departed-users.ts',
    ])
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
      'src/platform/config.ts',
      // A client, which has none of the server's settings.
      'src/routing-main.ts',
    ])
  })

  it('change the status of a conversation in transitions.ts only', () => {
    const writers = files.filter(
      ({ module, text }) => module === 'conversations' && /onversation\.status = /.test(text),
    )
    expect(paths(writers)).toEqual(['src/modules/conversations/state/transitions.ts'])
  })

  it("read callers' data through `ctx.reads`, which schedules fairly", () => {
    const past = files.filter(
      ({ module, text }) => module !== 'context' && /\b(ctx|system|context)\.database\.(query|snapshot)\b/.test(text),
    )
    expect(paths(past)).toEqual([])
  })

  it('connect to external servers through src/platform/outbound, which refuses private addresses', () => {
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
      'src/api/graphql/browser-client-script.ts',
      // A client of this server.
      'src/app/routing/run-command.ts',
      // Where to is the operator's setting, or this machine.
      'src/modules/attachments/s3-store.ts',
      // By `connectPublic`, unless the operator allows private addresses.
      'src/modules/touchpoints/mailbox/imap-session.ts',
      'src/platform/db/embedded-lock.ts',
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
      paths(
        pages.filter(({ path, text }) => {
          // A catalogue of words is a list, one file a language.
          const isList = text.startsWith('// Made by') || /\/(?:i18n|words)\/(?:en|nl|de|fr)\.ts$/.test(path)
          return !isList && text.split('\n').length - 1 > LINES_MAX
        }),
      ),
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
      'rest-compat/records/channel',
      'rest-compat/records/contact',
      'rest-compat/records/conversation',
      'rest-compat/records/form',
      'rest-compat/records/form-fields',
      'rest-compat/records/label',
      'rest-compat/records/message',
      'rest-compat/records/organization',
      // In no circle, but between two; so is a channel.
      'rest-compat/records/user',
    ])
  })

  it('include no catch-all folders', () => {
    expect(
      paths(files.filter(({ path }) => /(^|\/)(utils?|helpers?|types|interfaces|common)(\/|\.ts$)/.test(path))),
    ).toEqual([])
  })

  it(`have files of at most ${LINES_MAX} lines`, () => {
    expect(paths(files.filter(({ text }) => text.split('\n').length - 1 > LINES_MAX))).toEqual([])
  })
})

/** `import`, `export … from` and `import()` of a relative path, types among them: a type is knowledge as well. */
const IMPORT = /(?:^(?:import|export)\b[^'"`;]*?\bfrom\s+|^import\s+|\bimport\()'(\.[^']+)'/gm

function read(path: string): SourceFile {
  const text = readFileSync(path, 'utf8')
  const imports = [...text.matchAll(IMPORT)].map(([, specifier]) => {
    return positionOf(join(dirname(path), specifier!.replace(/\.js$/, '.ts')))
  })
  return { ...positionOf(path), text, imports }
}

function positionOf(path: string): Position {
  const [top = '', band = '', module] = path.split('/')
  if (top !== 'src') return { path, band: top, module: top }
  if (module === undefined) return { path, band: '', module: band.replace(/\.ts$/, '') }
  return { path, band, module: module.replace(/\.ts$/, '') }
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
