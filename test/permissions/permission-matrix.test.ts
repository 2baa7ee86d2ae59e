import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { buildSchema } from 'graphql'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BYTE_ENDPOINTS } from '../../rest-compat/byte-endpoints.js'
import { routes } from '../../rest-compat/routes/index.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { connectCallers, type Callers } from './ask.js'
import { allCases, isDone } from './cases.js'
import { idPaths, rootFields } from './documents.js'
import { fingerprint } from './fingerprint.js'
import { hearOthers, LAST_WORDS, LISTENERS } from './hear-others.js'
import { matrixText } from './matrix-text.js'
import { nameOfRoute } from './requests.js'
import { runCases, type Finding } from './run-cases.js'
import { refsOf } from './sample.js'
import { CONVERSATION_SAMPLES } from './samples-of-conversations.js'
import { RESOURCE_SAMPLES } from './samples-of-resources.js'
import { makeWorld, type World } from './world.js'

const FILE = 'test/permissions/matrix.md'
const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
const samples = [...RESOURCE_SAMPLES, ...CONVERSATION_SAMPLES]
const cases = allCases(schema, routes, samples)

/** How one gets credentials, or names no record: there is no scope to have. */
const PUBLIC = [
  'createToken',
  'refreshToken',
  'acceptInvitation',
  'requestPasswordReset',
  'resetPassword',
  'startGuestSession',
]
/** Ids that the client makes up, or that are tested elsewhere. */
// nodes gives null for a record out of sight: test/graphql/contract.test.ts. A webhook's bot: test/security/webhook-readers.test.ts.
const MADE_UP = [
  'cancelMessage id',
  'explainWorkflow rules.id',
  'explainWorkflow rules._id',
  'replayRules rules.id',
  'replayRules rules._id',
  'createForm input.fields.id',
  'updateForm patch.fields.id',
  'createConversation input.messages.id',
  'sendMessage message.id',
  'sendMessages messages.id',
  'nodes ids',
  'createService input.settings.webhook.bot',
  'updateService patch.settings.webhook.bot',
]

let app: TestServer
let world: World
let callers: Callers
let dataDir: string
const findings: Finding[] = []

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'matrix-'))
  app = await startTestServer({
    GRAPHQL_COST_PER_MINUTE: '1000000000',
    GUEST_MESSAGES_PER_MINUTE: '1000000',
    DATA_DIR: dataDir,
  })
  world = await makeWorld(app)
  callers = await connectCallers(app, world)
})
afterAll(async () => {
  await callers.close()
  await app.close()
  await rm(dataDir, { recursive: true })
})

const HIDDEN = ['parent', 'sibling', 'foreign'] as const
/** Of a place's records; the organization's own is in all copies of them. */
const recordIds = (...places: (typeof HIDDEN)[number][]): string[] =>
  places.flatMap((place) =>
    Object.entries(world.records[place]).flatMap(([kind, id]) => (kind === 'organization' ? [] : [id])),
  )

describe('the permission matrix (section 5)', () => {
  it('has a sample for every query, mutation, subscription and route', () => {
    const targets = new Set(cases.map(({ target }) => target))
    const fields = rootFields(schema).filter(({ field }) => !PUBLIC.includes(field.name))
    const wanted = [...fields.map(({ root, field }) => `${root} ${field.name}`), ...routes.map(nameOfRoute)]
    expect(wanted.filter((name) => !targets.has(name) && !name.includes(' /v2/auth/token'))).toEqual([])
    expect(BYTE_ENDPOINTS.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v2/attachments',
      // By a signed link, which needs no scope: test/attachments.
      'GET /v2/attachments/:id/:name',
    ])
  })

  it('names a record in every argument that takes an id, and has no sample of a removed operation', () => {
    const named = new Set(
      samples.flatMap(({ field, args }) => refsOf(args).map(([path]) => `${field} ${path.replace(/\.\d+/g, '')}`)),
    )
    const wanted = rootFields(schema).flatMap(({ field }) => {
      return PUBLIC.includes(field.name) ? [] : idPaths(field).map((path) => `${field.name} ${path}`)
    })
    expect(wanted.filter((path) => !named.has(path) && !MADE_UP.includes(path) && !isWithinMessage(path))).toEqual([])
    const fields = new Set(rootFields(schema).map(({ field }) => field.name))
    expect(samples.filter(({ field }) => !fields.has(field)).map(({ field }) => field)).toEqual([])
  })

  it('refuses denied or invisible records, reveals nothing of them, and changes nothing at all', async () => {
    const before = await fingerprint(app.server.database, 'all')
    findings.push(
      ...(await runCases(
        cases.filter((each) => !isDone(each)),
        { world, callers },
      )),
    )
    expect(findings).toEqual([])
    expect(await fingerprint(app.server.database, 'all')).toEqual(before)
  }, 600_000)

  it('performs allowed operations, and writes nothing of invisible organizations', async () => {
    const { database } = app.server
    const prints = (): Promise<object[]> =>
      Promise.all([
        fingerprint(database, { naming: recordIds('sibling', 'foreign') }),
        fingerprint(database, {
          being: [...recordIds('parent'), ...HIDDEN.map((place) => world.records[place].organization)],
        }),
      ])
    const before = await prints()
    findings.push(...(await runCases(cases.filter(isDone), { world, callers })))
    expect(findings).toEqual([])
    expect(await prints()).toEqual(before)
  }, 600_000)

  it('delivers no events of invisible organizations to live subscribers (section 6)', async () => {
    const { events, writes } = await hearOthers({ app, world, schema, samples })
    expect(writes).toBeGreaterThan(100)
    expect(events.filter(({ text }) => /mark-of-(parent|sibling|foreign)/.test(text))).toEqual([])
    // That they listened at all.
    const listeners = LISTENERS.filter((by) =>
      events.some((event) => event.by === by && event.text.includes(LAST_WORDS)),
    )
    expect(listeners).toEqual([...LISTENERS])
  }, 300_000)

  it('equals the documented matrix', () => {
    const text = matrixText(cases, findings)
    if (process.env.MATRIX === 'write') {
      if (findings.length > 0) throw new Error(`not written, since ${findings.length} findings contradict it`)
      writeFileSync(FILE, text)
    }
    expect(existsSync(FILE) && readFileSync(FILE, 'utf8')).toBe(text)
  })
})

/** Of a create's messages a sample names the records; those of a send are the same input. */
function isWithinMessage(path: string): boolean {
  return (
    /^createConversation input\.messages\.(user|service)$/.test(path) &&
    samples.some(({ how }) => how === 'with a message: user')
  )
}
