import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'

let fixture: ConversationFixture
let organization: MadeOrganization
let admin: MadeUser

beforeAll(async () => {
  fixture = await startConversationFixture()
  organization = await fixture.makeOrganization({ name: 'Harbour' })
  admin = await fixture.makeUser({ organization, role: 'admin' })
})
afterAll(() => fixture.close())

interface Plan {
  digest: string
  notes: string[]
  changes: { action: string; name: string }[]
}

const PLAN = 'query ($d: String!) { planRouting(document: $d) { digest notes changes { action name } } }'
const APPLY =
  'mutation ($d: String!, $g: String!) { applyRouting(document: $d, digest: $g) { digest notes changes { action name } } }'

async function done<T>(text: string, variables: Record<string, unknown>): Promise<T> {
  const { data, errors } = await fixture.gql(admin, text, variables)
  expect(errors).toBeUndefined()
  return Object.values(data)[0] as T
}
const plan = (d: string): Promise<Plan> => done<Plan>(PLAN, { d })
const apply = async (d: string): Promise<Plan> => done<Plan>(APPLY, { d, g: (await plan(d)).digest })
async function refusal(text: string, variables: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { errors } = await fixture.gql(admin, text, variables)
  return { message: errors![0]!.message, ...(errors![0]!.extensions as object) }
}
const workflow = (name: string, channel: string, more = ''): string =>
  `  - name: ${name}\n${more}    rules: [{conditions: {all: []}, event: {type: notify, params: {channels: [${channel}]}}}]\n`

describe('the removal of a channel', () => {
  it('is planned with its members, and with what names it outside the document', async () => {
    const people = [await fixture.makeUser({ organization }), await fixture.makeUser({ organization })]
    await fixture.makeChannel('Boats', people, organization)
    await fixture.makeChannel('Rafts', [people[0]!], organization)
    await fixture.makeChannel('Bare', [], organization)
    const policy = `slaPolicies:
  - name: Quick
    targets:
      - {clock: firstResponse, seconds: 60, warnSeconds: 30, acts: [{at: warned, channels: [Boats]}]}
`
    await apply(`version: 1\n${policy}workflows:\n${workflow('One', 'Boats, Boats')}${workflow('Two', 'Boats')}`)
    const rest = 'version: 1\nmanages: [channels]\nchannels: []\n'
    expect((await plan(rest)).notes).toEqual([
      'the channel "Boats" is deleted: 2 members lose it; 2 workflows outside the document name it; 1 SLA policy outside the document names it',
      'the channel "Rafts" is deleted: 1 member loses it',
    ])
    // With one of the workflows in the document, which names another one from then on.
    const less = `version: 1\nmanages: [channels]\nchannels:\n  - name: Bare\nworkflows:\n${workflow('Two', 'Bare')}`
    const { notes } = await plan(less)
    expect(notes[0]).toContain('2 members lose it; 1 workflow outside the document names it; 1 SLA policy')
  })

  it('is refused where the document names it, by its id as by its name', async () => {
    const id = await fixture.makeChannel('Ferries', [], organization)
    for (const name of ['Ferries', `{id: ${id}}`, `{id: ${id.toUpperCase()}}`]) {
      const d = `version: 1\nmanages: [channels]\nchannels: []\nworkflows:\n${workflow('Crossing', name)}`
      expect(await refusal(PLAN, { d })).toMatchObject({
        code: 'BAD_USER_INPUT',
        problems: [{ message: 'the channel "Ferries" is removed by this document' }],
      })
    }
    const kept = `version: 1\nmanages: [workflows]\nworkflows:\n${workflow('Crossing', `{id: ${id}}`)}`
    expect((await plan(kept)).changes).toContainEqual({ action: 'CREATE', name: 'Crossing' })
  })
})

describe('an externalId beside an id', () => {
  it('is the one that the workflow has', async () => {
    await apply(`version: 1\nworkflows:\n${workflow('Named', 'Bare', '    externalId: first\n')}`)
    const [{ id }] = (await fixture.server.database.query<{ id: string }>(
      `select id from workflow where external_id = 'first'`,
    )) as [{ id: string }]
    const both = (externalId: string): string =>
      `version: 1\nworkflows:\n${workflow('Named', 'Bare', `    id: ${id}\n    externalId: ${externalId}\n`)}`
    expect((await plan(both('first'))).changes).toEqual([])
    const { problems, message } = await refusal(PLAN, { d: both('second') })
    expect(problems).toMatchObject([{ line: 5, field: 'workflows[0].externalId' }])
    expect(message).toContain('has "first"')
  })
})

describe('the digest of a plan', () => {
  it('is refused where a name of the document stands for another record by then', async () => {
    const first = await fixture.makeChannel('Barges', [], organization)
    const d = `version: 1\nworkflows:\n${workflow('Tow', 'Barges')}`
    const { digest } = await plan(d)
    await done('mutation ($id: ID!) { deleteChannel(id: $id) }', { id: first })
    await fixture.makeChannel('Barges', [], organization)
    expect(await refusal(APPLY, { d, g: digest })).toMatchObject({
      code: 'PRECONDITION_FAILED',
      reason: 'OTHER_VERSION',
      message: expect.stringContaining('stands for another record'),
    })
    expect((await apply(d)).changes).toEqual([{ action: 'CREATE', name: 'Tow' }])
  })
})
