import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { rule, startConversationFixture, type ConversationFixture } from './conversation-fixture.js'

let fixture: ConversationFixture
let workflow: string
beforeAll(async () => {
  fixture = await startConversationFixture({ ROUTING_TRACE_DAYS: '30' })
  workflow = await fixture.makeWorkflow([rule({ name: 'first', channels: [fixture.channel] })])
})
afterAll(() => fixture.close())

it('routing decisions are kept for the configured time, and as long as the conversation is queued', async () => {
  const traces = async (id: string) =>
    (await fixture.show(id, await fixture.tokenFor(fixture.admin))).routingTrace.length
  const queued = await fixture.inStatus('QUEUED')
  const active = await fixture.inStatus('ACTIVE')
  expect([await traces(queued.id), await traces(active.id)]).toEqual([1, 1])
  const { maintenance } = fixture.server
  await maintenance.run()
  expect(await traces(active.id)).toBe(1)
  fixture.clock.advance(31 * 86_400_000)
  await maintenance.run()
  expect([await traces(queued.id), await traces(active.id)]).toEqual([1, 0])
})

it('versions of workflows are kept for as long as what they decided', async () => {
  const { maintenance, database } = fixture.server
  const versions = () =>
    database.query<{ name: string }>(
      `select r.rule #>> '{event,params,name}' as name from workflow_version v
       join workflow_version_rule r on r.workflow_id = v.workflow_id and r.hash = any(v.rules)
       where v.workflow_id = $1 order by name`,
      [workflow],
    )
  const rename = async (name: string) =>
    fixture.run(
      await fixture.tokenFor(fixture.admin),
      'mutation ($id: ID!, $patch: UpdateWorkflowInput!) { updateWorkflow(id: $id, patch: $patch) { id } }',
      { id: workflow, patch: { rules: [rule({ name, channels: [fixture.channel] })] } },
    )
  let consumers = 0
  const route = async (answered: boolean): Promise<string> => {
    const contact = { profile: { email: `consumer-${++consumers}@example.com` } }
    const answer = answered ? [{ role: 'AGENT', text: 'Hello' }] : []
    const { value } = await fixture.run<{ id: string }>(
      await fixture.tokenFor(fixture.bot),
      'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
      { input: { touchpoint: 'WEB', contact, messages: [{ role: 'CONTACT', text: 'Hello?' }, ...answer] } },
    )
    return value.id
  }
  const ruleOf = async (id: string) =>
    (await fixture.show(id, await fixture.tokenFor(fixture.admin))).routingTrace[0]!.entries.at(-1)!.rule?.name
  const waiting = await route(false)
  await rename('second')
  await route(true)
  await rename('third')
  fixture.clock.advance(20 * 86_400_000)
  await route(true)
  fixture.clock.advance(12 * 86_400_000)
  await maintenance.run()
  // The first decided for a conversation that waits still, the third twelve days ago.
  expect(await versions()).toEqual([{ name: 'first' }, { name: 'third' }])
  expect(await ruleOf(waiting)).toBe('first')
  // One that decides again is kept again.
  fixture.clock.advance(40 * 86_400_000)
  await maintenance.run()
  expect(await versions()).toEqual([{ name: 'first' }])
  const again = await route(true)
  expect(await versions()).toEqual([{ name: 'first' }, { name: 'third' }])
  expect(await ruleOf(again)).toBe('third')
})
