import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { startMailbox, type Mailbox } from '../support/mailbox.js'
import { letNextComeDue } from '../support/next-job.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'

let fixture: ConversationFixture
/** Another node, on which nobody writes anything. */
let quiet: TestServer
let mailbox: Mailbox
let hooks: Hooks
let ada: MadeUser
let bo: MadeUser
let boats: string
let workflow: string

beforeAll(async () => {
  mailbox = await startMailbox()
  const env = { SMTP_URL: mailbox.url, WEBHOOK_ALLOW_PRIVATE: 'true' }
  fixture = await startConversationFixture(env, { pace: 10 })
  quiet = await startTestServer(env, { beside: fixture })
  hooks = createHooks(fixture)
  ada = fixture.admin
  bo = await fixture.makeAgent({ role: 'admin', displayName: 'Bo' })
  boats = await fixture.makeChannel('Boats')
})
afterAll(async () => {
  await quiet.close()
  await fixture.close()
  await hooks.close()
  await mailbox.close()
})

const rule = (id: string, channels: string[], more: object = {}) => ({
  id,
  conditions: { all: [] },
  event: { type: 'NOTIFY', params: { name: id, channels, ...more } },
  priority: 1,
})
beforeEach(async () => {
  await fixture.server.database.query('delete from workflow')
  await fixture.server.database.query(`delete from job where kind = 'workflow.publish'`)
  workflow = await fixture.makeWorkflow([rule('all', [fixture.channel])])
})

const DRAFT = 'id version baseVersion isOutdated publishAt comment refusal { reason message } rules { id }'
const SAVE = `mutation ($w: ID!, $rules: [WorkflowRuleInput!]!, $v: Int, $base: Int) {
  saveWorkflowDraft(workflow: $w, rules: $rules, ifVersion: $v, baseVersion: $base) { ${DRAFT} } }`
const PUBLISH = `mutation ($w: ID!, $c: String, $at: DateTime, $v: Int) {
  publishWorkflowDraft(workflow: $w, comment: $c, at: $at, ifVersion: $v) {
    workflow { version rules { id } } draft { ${DRAFT} } } }`
const DISCARD = 'mutation ($w: ID!, $v: Int) { discardWorkflowDraft(workflow: $w, ifVersion: $v) }'
const CANCEL = `mutation ($d: ID!, $v: Int) { cancelWorkflowPublication(draft: $d, ifVersion: $v) { ${DRAFT} } }`
const SHOW = `query ($w: ID!) { workflow(id: $w) { version rules { id } drafts { ${DRAFT} user { displayName }
  diff { from to rules { kind words } } } history { number kind comment by { displayName } } } }`

interface Draft {
  id: string
  version: number
  baseVersion: number
  isOutdated: boolean
  publishAt: string | null
  comment: string | null
  refusal: { reason: string; message: string } | null
  rules: { id: string }[]
  user: { displayName: string }
  diff: { rules: { kind: string; words: string }[] }
}
interface Shown {
  version: number
  rules: { id: string }[]
  drafts: Draft[]
  history: { number: number; kind: string; comment: string | null; by: { displayName: string } | null }[]
}
async function done<T>(as: MadeUser, text: string, variables: Record<string, unknown>): Promise<T> {
  const { value, message } = await fixture.run<T>(as, text, { w: workflow, ...variables })
  expect(message).toBeUndefined()
  return value
}
const refused = async (as: MadeUser, text: string, variables: Record<string, unknown>) => {
  const { code, message, details } = await fixture.run(as, text, { w: workflow, ...variables })
  return { code, message, ...details }
}
const save = (as: MadeUser, rules: object[], more: object = {}): Promise<Draft> => done(as, SAVE, { rules, ...more })
const show = (as = ada): Promise<Shown> => done(as, SHOW, {})
const publish = (as: MadeUser, more: object = {}) =>
  done<{ workflow: Shown; draft: Draft | null }>(as, PUBLISH, more as Record<string, unknown>)
const inMs = (ms: number): string => new Date(fixture.clock.now().getTime() + ms).toISOString()
const update = (as: MadeUser, patch: object) =>
  done(as, 'mutation ($w: ID!, $patch: UpdateWorkflowInput!) { updateWorkflow(id: $w, patch: $patch) { version } }', {
    patch,
  })
let contacts = 0
async function routed(node: TestServer): Promise<string[]> {
  const { data, errors } = await node.gql(
    fixture.bot,
    'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { channels channelsOffline } }',
    {
      input: {
        contact: { profile: { email: `drafts-${contacts++}@example.com` } },
        ...{ touchpoint: 'WEB', messages: [{ role: 'CONTACT', text: 'hello' }] },
      },
    },
  )
  expect(errors).toBeUndefined()
  return [...data.createConversation.channels, ...data.createConversation.channelsOffline]
}
const planned = () =>
  until(
    () => show(),
    ({ drafts }) => drafts.every(({ publishAt }) => publishAt === null),
  )

describe('drafts', () => {
  it('run for nobody, one of each administrator, and say whose they are and what they change', async () => {
    const mine = await save(ada, [rule('boats', [boats])])
    await save(bo, [rule('all', [fixture.channel], { delay: 5 })])
    expect(mine).toEqual({
      ...{ id: mine.id, version: 1, baseVersion: 1, isOutdated: false, publishAt: null, comment: null, refusal: null },
      rules: [{ id: 'boats' }],
    })
    expect(await routed(fixture)).toEqual([fixture.channel])
    const { version, rules, drafts } = await show()
    expect([version, rules]).toEqual([1, [{ id: 'all' }]])
    expect(drafts.map(({ user, diff }) => [user.displayName, diff.rules.map(({ words }) => words)])).toEqual([
      ['Bo', ['Rule "all" changed: delay: 5 s, was 0 s']],
      ['Ada', ['Rule "all" removed', 'Rule "boats" added: if always, notifies Boats']],
    ])
  })

  it('of one administrator in two windows are not overwritten in silence', async () => {
    const first = await save(ada, [rule('a', [])], { v: 0 })
    const second = await refused(ada, SAVE, { rules: [rule('b', [])], v: 0 })
    expect(second).toMatchObject({ code: 'PRECONDITION_FAILED', reason: 'OTHER_VERSION', version: 1 })
    const next = await save(ada, [rule('c', [])], { v: first.version })
    expect(next).toMatchObject({ id: first.id, version: 2, rules: [{ id: 'c' }] })
    expect((await refused(ada, PUBLISH, { v: 1 })).code).toBe('PRECONDITION_FAILED')
    expect((await refused(ada, DISCARD, { v: 1 })).code).toBe('PRECONDITION_FAILED')
    await done(ada, DISCARD, { v: 2 })
    // The other window must not bring back what was discarded.
    expect(await refused(ada, SAVE, { rules: [rule('d', [])], v: 2 })).toMatchObject({
      ...{ code: 'PRECONDITION_FAILED', version: 0 },
    })
    expect((await show()).drafts).toEqual([])
    expect((await refused(ada, DISCARD, {})).code).toBe('NOT_FOUND')
    expect((await refused(ada, PUBLISH, {})).code).toBe('NOT_FOUND')
  })

  it('of windows that save at once lose nothing: one is refused', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        fixture.run<Draft>(ada, SAVE, { w: workflow, rules: [rule(`r${index}`, [])], v: 0 }),
      ),
    )
    const codes = answers.map(({ code }) => code ?? 'saved').toSorted()
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'PRECONDITION_FAILED'), 'saved'])
    const saved = answers.find(({ code }) => !code)!.value
    expect((await show()).drafts).toMatchObject([{ version: 1, rules: saved.rules }])
  })

  it.each<[string, object, string]>([
    ['a condition', { rules: [{ ...rule('x', []), conditions: { all: [{ fact: 'nothing' }] } }] }, 'BAD_USER_INPUT'],
    ['a channel that is not there', { rules: [rule('x', ['0198c0de-0000-7000-8000-0000000000ff'])] }, 'NOT_FOUND'],
    ['two rules of one id', { rules: [rule('x', []), rule('x', [])] }, 'BAD_USER_INPUT'],
    [
      'more rules than a workflow may have',
      { rules: Array.from({ length: 201 }, (_, n) => rule(`r${n}`, [])) },
      'BAD_USER_INPUT',
    ],
    ['an unknown version of the workflow', { rules: [], base: 77 }, 'BAD_USER_INPUT'],
  ])('are refused at once for %s', async (_what, variables, code) => {
    expect((await refused(ada, SAVE, variables as Record<string, unknown>)).code).toBe(code)
    expect((await show()).drafts).toEqual([])
  })

  it('are not for others: agents, bots, other centers, customers of the same', async () => {
    const customer = await fixture.makeOrganization({ parent: fixture.organization })
    const other = await fixture.makeOrganization()
    const mine = await save(ada, [])
    const ofCustomer = await fixture.makeUser({ organization: customer, role: 'admin' })
    const ofOther = await fixture.makeUser({ organization: other, role: 'admin' })
    for (const [text, variables] of [
      [SAVE, { rules: [] }],
      [PUBLISH, {}],
      [DISCARD, {}],
      [CANCEL, { d: mine.id }],
    ] as const) {
      for (const as of [fixture.ann, fixture.bot]) expect((await refused(as, text, variables)).code).toBe('FORBIDDEN')
      for (const as of [ofCustomer, ofOther]) expect((await refused(as, text, variables)).code).toBe('NOT_FOUND')
    }
    // A colleague has no draft, and does not publish another's.
    expect((await refused(bo, PUBLISH, {})).code).toBe('NOT_FOUND')
    expect((await show()).drafts).toHaveLength(1)
  })
})

describe('publication', () => {
  it('makes the draft the rules, on all nodes, with its comment in the history and the audit log', async () => {
    // The other node knows the rules.
    expect(await routed(quiet)).toEqual([fixture.channel])
    await save(ada, [rule('boats', [boats])])
    const { workflow: published, draft } = await publish(ada, { c: 'boats first', v: 1 })
    expect([published.version, published.rules, draft]).toEqual([2, [{ id: 'boats' }], null])
    expect(await routed(quiet)).toEqual([boats])
    expect(await routed(fixture)).toEqual([boats])
    const { drafts, history } = await show()
    expect(drafts).toEqual([])
    expect(history[0]).toEqual({ number: 2, kind: 'PUBLISHED', comment: 'boats first', by: { displayName: 'Ada' } })
    const audit = await done<{ edges: { node: object }[] }>(
      ada,
      'query ($w: String!) { auditEntries(first: 1, filter: { object: { eq: $w } }) { edges { node { action actor { id } } } } }',
      {},
    )
    expect(audit.edges[0]!.node).toEqual({ action: 'publishWorkflowDraft', actor: { id: ada.id } })
  })

  it('is refused when the rules were changed since, whoever did it, until the draft begins with them', async () => {
    const draft = await save(ada, [rule('boats', [boats])])
    await update(bo, { rules: [rule('by-Bo', [])] })
    expect((await show()).drafts).toMatchObject([{ isOutdated: true, version: 1 }])
    expect(await refused(ada, PUBLISH, {})).toMatchObject({ code: 'PRECONDITION_FAILED', version: 2 })
    expect((await show()).rules).toEqual([{ id: 'by-Bo' }])
    await save(ada, [rule('boats', [boats])], { base: 2, v: draft.version })
    expect((await publish(ada)).workflow.rules).toEqual([{ id: 'boats' }])
  })

  it('of the second of two administrators is refused', async () => {
    await save(ada, [rule('of-Ada', [])])
    await save(bo, [rule('of-Bo', [])])
    const answers = await Promise.all([ada, bo].map((as) => fixture.run(as, PUBLISH, { w: workflow })))
    expect(answers.map(({ code }) => code ?? 'published').toSorted()).toEqual(['PRECONDITION_FAILED', 'published'])
    const { version, drafts } = await show()
    expect([version, drafts.length, drafts[0]!.isOutdated]).toEqual([2, 1, true])
  })

  it('is not hindered by a change of the name, nor by rules that were changed and restored', async () => {
    await save(ada, [rule('boats', [boats])])
    await update(bo, { name: 'Renamed' })
    await update(bo, { rules: [] })
    await done(bo, 'mutation ($w: ID!) { restoreWorkflow(id: $w, number: 2) { version } }', {})
    expect((await show()).drafts).toMatchObject([{ isOutdated: false }])
    expect((await publish(ada)).workflow).toMatchObject({ version: 5, rules: [{ id: 'boats' }] })
  })

  it('is refused with their names when channels were deleted since', async () => {
    const gone = await fixture.makeChannel('Sails')
    await save(ada, [rule('sails', [gone, boats])])
    await done(ada, 'mutation ($id: ID!) { deleteChannel(id: $id) }', { id: gone })
    // The draft can still be worked on.
    await save(ada, [rule('sails', [gone, boats]), rule('more', [])])
    expect(await refused(ada, PUBLISH, {})).toMatchObject({
      ...{ code: 'UNPROCESSABLE', reason: 'TARGETS_GONE' },
      message: `rules name what is gone: rule "sails" names the channel "Sails" (${gone}), which was deleted`,
    })
    expect((await show()).version).toBe(1)
  })

  it.each([-1_000, 0, 91 * 86_400_000])('is not planned %d ms from now', async (ms) => {
    await save(ada, [])
    expect(await refused(ada, PUBLISH, { at: inMs(ms) })).toMatchObject({ code: 'BAD_USER_INPUT', field: 'at' })
  })
})

describe('a planned publication', () => {
  it('takes place at its time, once, by whichever node is there, and names its author', async () => {
    await save(ada, [rule('boats', [boats])])
    const at = inMs(3_600_000)
    const { workflow: before, draft } = await publish(ada, { at, c: 'from ten on' })
    expect([before.rules, draft]).toMatchObject([
      [{ id: 'all' }],
      { publishAt: at, comment: 'from ten on', version: 2 },
    ])
    expect(await routed(quiet)).toEqual([fixture.channel])
    fixture.clock.advance(3_600_001)
    const { version, drafts, history } = await until(
      () => show(),
      (shown) => shown.version === 2,
    )
    expect([version, drafts]).toEqual([2, []])
    expect(history[0]).toEqual({ number: 2, kind: 'PUBLISHED', comment: 'from ten on', by: { displayName: 'Ada' } })
    expect(await routed(quiet)).toEqual([boats])
    const audit = await done<{ edges: { node: object }[] }>(
      ada,
      `query ($w: String!) { auditEntries(first: 1, filter: { object: { eq: $w } }) {
        edges { node { action actor { id } details } } } }`,
      {},
    )
    expect(audit.edges[0]!.node).toMatchObject({
      ...{ action: 'publishWorkflowDraft', actor: { id: ada.id } },
      details: { isPlanned: true, version: 2, comment: 'from ten on' },
    })
  })

  it('is taken back when others change the rules, which its author is told at once', async () => {
    const hook = await hooks.register(ada, { events: ['workflowDraft.refuse'] })
    const draft = await save(ada, [rule('boats', [boats])])
    await publish(ada, { at: inMs(60_000) })
    const mails = mailbox.mails.length
    await update(bo, { rules: [rule('by-Bo', [])] })
    expect((await show()).drafts).toMatchObject([
      {
        ...{ publishAt: null, isOutdated: true, rules: [{ id: 'boats' }] },
        refusal: { reason: 'CHANGED', message: 'the rules of the workflow were changed by Bo' },
      },
    ])
    const [mail] = (await mailbox.wait(mails + 1)).slice(mails)
    expect(mail!.to).toEqual([ada.email])
    expect(mail!.email.subject).toBe('Not published: your draft of the workflow Routing')
    expect(mail!.email.text).toContain('the rules of the workflow were changed by Bo')
    const told = (await hook.receiver.next()).json
    expect(told).toMatchObject({
      data: { workflowDraft: { id: draft.id, workflow, user: ada.id, reason: 'changed' } },
    })
    fixture.clock.advance(60_001)
    // Another job that is due then has run.
    await save(bo, [rule('later', [])], { base: 2 })
    await publish(bo, { at: inMs(60_000) })
    fixture.clock.advance(60_001)
    expect(
      (
        await until(
          () => show(),
          ({ version }) => version === 3,
        )
      ).rules,
    ).toEqual([{ id: 'later' }])
  })

  it.each<[string, () => Promise<unknown>, string, string]>([
    [
      'whose channel was deleted',
      () => done(ada, 'mutation ($id: ID!) { deleteChannel(id: $id) }', { id: boats }),
      'TARGETS_GONE',
      'names the channel "Boats"',
    ],
    [
      'whose author is no administrator any more',
      () => done(ada, 'mutation ($id: ID!) { updateUser(id: $id, patch: { role: AGENT }) { id } }', { id: bo.id }),
      'NOT_ALLOWED',
      'no administrator',
    ],
    [
      'that an older release changed beneath',
      () =>
        fixture.server.database.query(`update workflow set rules = '[]', version = version + 1 where id = $1`, [
          workflow,
        ]),
      'CHANGED',
      'has other rules',
    ],
  ])('does not take place %s, and tells its author', async (_what, meanwhile, reason, message) => {
    boats = await fixture.makeChannel('Boats')
    await save(bo, [rule('boats', [boats])])
    await publish(bo, { at: inMs(60_000) })
    await meanwhile()
    const mails = mailbox.mails.length
    fixture.clock.advance(60_001)
    const { drafts, history } = await planned()
    expect(drafts).toMatchObject([{ publishAt: null, refusal: { reason, message: expect.stringContaining(message) } }])
    expect(history.every(({ kind }) => kind !== 'PUBLISHED')).toBe(true)
    expect((await mailbox.wait(mails + 1)).at(-1)!.to).toEqual([bo.email])
    const { edges } = await done<{ edges: { node: object }[] }>(
      ada,
      'query ($w: String!) { auditEntries(first: 1, filter: { object: { eq: $w } }) { edges { node { action } } } }',
      {},
    )
    expect(edges[0]!.node).toEqual({ action: 'publishWorkflowDraftRefused' })
    await done(ada, 'mutation ($id: ID!) { updateUser(id: $id, patch: { role: ADMIN }) { id } }', { id: bo.id })
    boats = await fixture.makeChannel('Boats')
  })

  it('is taken back by saving the draft, and by any administrator', async () => {
    await save(ada, [rule('boats', [boats])])
    await publish(ada, { at: inMs(60_000) })
    await save(ada, [rule('others', [boats])], { v: 2 })
    const { draft } = await publish(ada, { at: inMs(60_000) })
    expect(await refused(bo, CANCEL, { d: draft!.id, v: 1 })).toMatchObject({ code: 'PRECONDITION_FAILED', version: 4 })
    expect(await done(bo, CANCEL, { d: draft!.id, v: 4 })).toMatchObject({ publishAt: null, refusal: null, version: 5 })
    fixture.clock.advance(60_001)
    await publish(ada, { at: inMs(60_000) })
    fixture.clock.advance(60_001)
    // Only the last of three jobs did anything.
    const { version, rules } = await until(
      () => show(),
      (shown) => shown.version > 1,
    )
    expect([version, rules]).toEqual([2, [{ id: 'others' }]])
  })

  it('takes place at its time, whatever was planned for later before it', async () => {
    await save(ada, [rule('boats', [boats])])
    await save(bo, [rule('by-Bo', [])])
    // A plan of a colleague that stands, and one of her own that she takes back for an earlier time.
    await publish(bo, { at: inMs(60 * 86_400_000) })
    await publish(ada, { at: inMs(30 * 86_400_000) })
    await publish(ada, { at: inMs(60_000) })
    fixture.clock.advance(60_001)
    const { rules, drafts } = await until(
      () => show(),
      (shown) => shown.version > 1,
    )
    expect(rules).toEqual([{ id: 'boats' }])
    expect(drafts).toMatchObject([{ publishAt: null, refusal: { reason: 'CHANGED' } }])
  })

  it('of many administrators at one time takes place once', async () => {
    const many = await Promise.all(Array.from({ length: 10 }, () => fixture.makeAgent({ role: 'admin' })))
    const at = inMs(60_000)
    for (const [index, as] of many.entries()) {
      await save(as, [rule(`r${index}`, [boats])])
      await publish(as, { at })
    }
    fixture.clock.advance(60_001)
    const left = () =>
      fixture.server.database.query<{ n: number; failures: number }>(
        `select count(*)::int as n, coalesce(sum(failures), 0)::int as failures from job where kind = 'workflow.publish'`,
      )
    expect(await until(left, ([row]) => row!.n === 0)).toEqual([{ n: 0, failures: 0 }])
    const { version, drafts } = await show()
    expect([version, drafts.length]).toEqual([2, 9])
    expect(drafts.every(({ refusal }) => refusal?.reason === 'CHANGED')).toBe(true)
  })

  it('is done again whole when it failed in the middle', async () => {
    const { database } = fixture.server
    await database.query(`create function dies() returns trigger language plpgsql as $$
      begin raise exception 'the database fails in the middle'; end $$`)
    await database.query('create trigger dies after update on workflow for each row execute function dies()')
    await save(ada, [rule('boats', [boats])])
    await publish(ada, { at: inMs(60_000) })
    fixture.clock.advance(60_001)
    const job = () =>
      database.query<{ failures: number; at: Date }>(
        `select failures, run_at as at from job where kind = 'workflow.publish' and last_error is not null`,
      )
    await until(job, ([row]) => row !== undefined)
    expect(await show()).toMatchObject({ version: 1, drafts: [{ version: 2, refusal: null }] })
    await database.query('drop trigger dies on workflow')
    await letNextComeDue(fixture, 'workflow.publish')
    expect(
      await until(
        () => show(),
        (shown) => shown.version > 1,
      ),
    ).toMatchObject({ version: 2, drafts: [] })
    expect(await job()).toEqual([])
  })

  it('goes with its workflow, and with its author', async () => {
    await save(ada, [rule('boats', [boats])])
    await publish(ada, { at: inMs(60_000) })
    await done(ada, 'mutation ($w: ID!) { deleteWorkflow(id: $w) }', {})
    fixture.clock.advance(60_001)
    const left = () =>
      fixture.server.database.query<{ n: number }>(
        `select count(*)::int as n from job where kind = 'workflow.publish' and run_at < 'infinity'`,
      )
    expect((await until(left, ([row]) => row!.n === 0))[0]!.n).toBe(0)
    expect(await fixture.server.database.query('select 1 from workflow_draft')).toEqual([])
  })
})

describe('an import', () => {
  it('brings a workflow whose history begins with it, and whose drafts are saved by its old id', async () => {
    const exported = { _id: '5f1d7a2e9b1e8a0017c4a001', name: 'Imported', rules: [rule('old', [])] }
    const { id } = await done<{ id: string }>(
      ada,
      'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }',
      { input: exported },
    )
    await save(ada, [rule('new', [])], { w: exported._id })
    expect((await publish(ada, { w: exported._id })).workflow.rules).toEqual([{ id: 'new' }])
    workflow = id
    expect((await show()).history).toMatchObject([{ kind: 'PUBLISHED' }, { kind: 'CREATED' }])
  })
})
