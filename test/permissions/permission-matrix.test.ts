import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { buildSchema } from 'graphql'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { glob, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BYTE_ENDPOINTS } from '../../rest-compat/byte-endpoints.js'
import { routes } from '../../rest-compat/routes/index.js'
import { OPERATOR } from '../../src/platform/access/scopes.js'
import { PERMISSIONS, type Permission } from '../../src/platform/access/permissions.js'
import { until } from '../support/until.js'
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
import { makeWorld, SECRETS_KEY, type World } from './world.js'

const FILE = 'test/permissions/matrix.md'
const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
const samples = [...RESOURCE_SAMPLES, ...CONVERSATION_SAMPLES]
const cases = allCases(schema, routes, samples)

/** Fields by which one gets credentials, or that name no record: there is no scope to have. */
const PUBLIC = [
  'createToken',
  'refreshToken',
  'acceptInvitation',
  'requestPasswordReset',
  'enrolAtSignIn',
  'createPasskeyChallenge',
  'signInByPasskey',
  'signInMethods',
  'resetPassword',
  'startGuestSession',
]
/** Ids that the client makes up, or that are tested elsewhere. */
// nodes gives null for a record out of sight: test/graphql/contract.test.ts. A webhook's bot: test/security/webhook-readers.test.ts.
const MADE_UP = [
  'cancelMessage id',
  // Looked up among the tokens of the service that is named.
  'revokeScimToken token',
  // Compared with the last message's, never looked up.
  'closeConversation ifLastMessage',
  // A place in a list, which is compared and never looked up.
  'erasureLines after',
  'explainWorkflow rules.id',
  'explainWorkflow rules._id',
  'replayRules rules.id',
  'replayRules rules._id',
  'saveWorkflowDraft rules.id',
  'saveWorkflowDraft rules._id',
  'createForm input.fields.id',
  'updateForm patch.fields.id',
  'createConversation input.messages.id',
  // Compared with those of the conversation: test/conversations/marks.test.ts.
  'createConversation input.messages.seen',
  'sendMessage message.seen',
  'sendMessages messages.seen',
  'sendMessage message.id',
  'beginMessage message.id',
  'beginMessage message.seen',
  // Of proposals, which end with what happens in their conversation: test/bots/proposals.test.ts.
  'approveProposal proposal',
  'rejectProposal proposal',
  'takeProposal proposal',
  // Of the conversation itself, and what a suggestion may name: test/bots/copilot.test.ts.
  'createConversation input.messages.proposal',
  'sendMessage message.proposal',
  'sendMessages messages.proposal',
  'beginMessage message.proposal',
  'propose message.proposal',
  'propose suggestion.article',
  'propose suggestion.merge',
  ...['id', 'seen', 'service', 'user', 'template.id', 'proposal'].map((field) => `propose suggestion.reply.${field}`),
  'proposal id',
  'propose message.id',
  'propose message.seen',
  'propose message.service',
  'propose message.user',
  'propose message.template.id',
  // Of streams, which end within seconds: test/conversations/streams.test.ts.
  'appendMessage id',
  'finishMessage id',
  'stopMessage id',
  'sendMessages messages.id',
  // A template of a service in the conversation's path: test/touchpoints/whatsapp/templates.test.ts.
  'createConversation input.messages.template.id',
  'sendMessage message.template.id',
  'beginMessage message.template.id',
  'sendMessages messages.template.id',
  // A session of the user who is named beside: test/auth/sessions.test.ts.
  'endSession session',
  // A provider, an identity of the user who is named beside, and channels of a provider: test/sso.
  'linkIdentity service',
  'unlinkIdentity identity',
  'createService input.settings.oidc.roleMap.channels',
  'createService input.settings.saml.roleMap.channels',
  'updateService patch.settings.oidc.roleMap.channels',
  'updateService patch.settings.saml.roleMap.channels',
  // A run that the client names, a message that is compared alone, and what else a step may name: test/macros.
  'createMacro input.steps.form',
  'createMacro input.steps.remove',
  'runMacro id',
  'runMacro ifLastMessage',
  'bulk id',
  'bulk act.step.channel',
  'bulk act.step.form',
  'bulk act.step.remove',
  'bulk act.step.user',
  'bulkRun id',
  'cancelBulk id',
  'undoBulk id',
  'updateMacro patch.steps.add',
  'updateMacro patch.steps.channel',
  'updateMacro patch.steps.form',
  'updateMacro patch.steps.remove',
  // An enrolment of the caller's own: test/auth/second-factor.test.ts.
  'confirmTotp id',
  // One of the caller's own: test/auth/passkeys.test.ts.
  'renamePasskey id',
  'removePasskey id',
  'nodes ids',
  'createService input.settings.webhook.bot',
  'updateService patch.settings.webhook.bot',
  'createService input.settings.events.bot',
  'updateService patch.settings.events.bot',
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
    SECRETS_KEY,
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
/** Ids of a place's records; the organization's own is in all copies of them. */
const recordIds = (...places: (typeof HIDDEN)[number][]): string[] =>
  places.flatMap((place) =>
    Object.entries(world.records[place]).flatMap(([kind, id]) => (kind === 'organization' ? [] : [id])),
  )

describe('the permission matrix (section 5)', () => {
  it('has a sample for every query, mutation, subscription and route', () => {
    const targets = new Set(cases.map(({ target }) => target))
    // Public routes, which give a caller its first token, are test/auth's.
    const isPublic = (name: string): boolean => /\s\/v2\/auth\/(token|enrolment)\b/.test(name)
    const fields = rootFields(schema).filter(({ field }) => !PUBLIC.includes(field.name))
    const wanted = [...fields.map(({ root, field }) => `${root} ${field.name}`), ...routes.map(nameOfRoute)]
    expect(wanted.filter((name) => !targets.has(name) && !isPublic(name))).toEqual([])
    expect(BYTE_ENDPOINTS.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v2/attachments',
      // By a signed link, which needs no scope: test/attachments.
      'GET /v2/attachments/:id/:name',
      // By a link that names the user to whom it was given: test/privacy.
      'GET /v2/exports/:id/file',
    ])
  })

  it('names a record in every argument that takes an id, and has no sample of a removed operation', () => {
    const named = new Set(
      samples.flatMap(({ field, args }) => refsOf(args).map(([path]) => `${field} ${path.replace(/\.\d+/g, '')}`)),
    )
    const wanted = rootFields(schema).flatMap(({ field }) => {
      return PUBLIC.includes(field.name) ? [] : idPaths(field).map((path) => `${field.name} ${path}`)
    })
    const isTested = (path: string): boolean => named.has(path) || isWithinMessage(path) || isOfFilter(path)
    expect(wanted.filter((path) => !isTested(path) && !MADE_UP.includes(path))).toEqual([])
    const fields = new Set(rootFields(schema).map(({ field }) => field.name))
    expect(samples.filter(({ field }) => !fields.has(field)).map(({ field }) => field)).toEqual([])
  })

  it('refuses denied or invisible records, reveals nothing of them, and changes nothing at all', async () => {
    await until(async () => !(await hasUnchained()))
    await keepSessions()
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
    await keepSessions()
    const before = await prints()
    findings.push(...(await runCases(cases.filter(isDone), { world, callers })))
    expect(findings).toEqual([])
    expect(await prints()).toEqual(before)
  }, 600_000)

  it('leaves an audit entry of every mutation that only administrators may do', async () => {
    const rows = await app.server.database.query<{ action: string }>('select distinct action from audit_entry')
    const actions = new Set(rows.map(({ action }) => action))
    const mutations = await administratorsMutations()
    expect(mutations.length).toBeGreaterThan(50)
    expect(mutations.filter((name) => !actions.has(name) && !(name in AUDITED_ELSEWHERE))).toEqual([])
    expect(Object.keys(AUDITED_ELSEWHERE).filter((name) => !mutations.includes(name))).toEqual([])
  })

  it('delivers no events of invisible organizations to live subscribers (section 6)', async () => {
    const { events, writes } = await hearOthers({ app, world, schema, samples })
    expect(writes).toBeGreaterThan(100)
    expect(events.filter(({ text }) => /mark-of-(parent|sibling|foreign)/.test(text))).toEqual([])
    // That they listened at all.
    const listeners = LISTENERS.filter((by) =>
      events.some((event) => event.by === by && event.text.includes(LAST_WORDS)),
    )
    expect(listeners).toEqual([...LISTENERS])
  })

  it('equals the documented matrix', () => {
    const text = matrixText(cases, findings)
    if (process.env.MATRIX === 'write') {
      if (findings.length > 0) throw new Error(`not written, since ${findings.length} findings contradict it`)
      writeFileSync(FILE, text)
    }
    expect(existsSync(FILE) && readFileSync(FILE, 'utf8')).toBe(text)
  })
})

/** Mutations that change nothing in this world, and what holds their entries instead. */
const AUDITED_ELSEWHERE: Readonly<Record<string, string>> = {
  verifyWebhook: 'test/audit: the webhooks here are not active',
  approveChange: 'test/four-eyes: no release knows the operation of the changes here',
  withdrawChange: 'test/four-eyes: the changes here are of others',
  setFourEyes: 'test/four-eyes: the administrators here are not of level 1',
  resetFactors: 'test/auth/second-factor: the users here have none',
  requestSenderVerification: 'as every mutation by transact: no mail server is set up here',
  verifySender: 'as every mutation by transact: nothing to verify was sent here',
  discardWorkflowDraft: 'as every mutation by transact: the draft here is of another administrator',
  publishWorkflowDraft: 'as every mutation by transact: the draft here is of another administrator',
  createScimToken: 'test/scim/access: no service here is a provider',
  revokeScimToken: 'as every mutation by transact: no service here is a provider',
  verifyDomain: 'as every mutation by transact: no name server here has the record',
  authorizeService: 'test/touchpoints/mailbox/mailbox-sign-in: no service here is a mailbox of a provider',
  syncTemplates: 'as every mutation by transact: no service here has templates',
  updateContactCenter: 'test/audit: it has no operator',
  archiveContactCenter: 'test/audit: it has no operator',
  reopenContactCenter: 'test/audit: it has no operator',
}

/** A session that is used five minutes after it was seen is seen again, which would be a change of its own. */
async function keepSessions(): Promise<void> {
  await app.server.database.query(`update token_family set seen_at = now() + interval '1 day'`)
}

async function hasUnchained(): Promise<boolean> {
  const rows = await app.server.database.query('select 1 from audit_entry where number is null limit 1')
  return rows.length > 0
}

/** Mutations whose permission is an administrator's, or the operator's. */
async function administratorsMutations(): Promise<string[]> {
  const names: string[] = []
  for await (const path of glob('src/modules/**/*.ts')) {
    for (const [, operation, name] of readFileSync(path, 'utf8').matchAll(AUTHORIZED_MUTATION)) {
      const scope: string = PERMISSIONS[operation as Permission]
      if (scope === 'admin' || scope === OPERATOR) names.push(name!)
    }
  }
  return names
}

const AUTHORIZED_MUTATION = /@Authorized\('([^']+)'\)\s+@Mutation\([\s\S]*?\n {2}(?:async )?(\w+)\(/g

/** Tells the filter of a view, in which test/views names a record of each kind. */
const isOfFilter = (path: string): boolean => path.startsWith('saveView input.filter.')

/** Tells the messages of a create, of which a sample names the records; those of a send are the same input. */
function isWithinMessage(path: string): boolean {
  return (
    /^createConversation input\.messages\.(user|service)$/.test(path) &&
    samples.some(({ how }) => how === 'with a message: user')
  )
}
