import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { hasDovecot } from '../../support/dovecot.js'
import { liveClient, subscribe } from '../../support/live-client.js'
import { deliver, letter } from './mail-client.js'
import { startMailboxFixture, type MailboxFixture } from './mailbox-fixture.js'

/** `npm run mails:screen` has more. */
const MAILS = Number(process.env.SCREEN_MAILS ?? 20)

const QUEUE = `subscription {
  queue { __typename ... on QueueEntryAdded { entry { name preview touchpoint } } }
}`

interface QueueEvent {
  __typename: string
  entry?: { name: string; preview: string | null; touchpoint: string }
}

const withDovecot = hasDovecot() ? describe : describe.skip

withDovecot(`${MAILS} mails, one after the other, to a server that tells of each`, () => {
  let fixture: MailboxFixture
  let agent: Client
  beforeAll(async () => {
    // As it runs: nothing comes sooner than it does for users.
    fixture = await startMailboxFixture({}, { pace: 1 })
    const { app, admin, organization } = fixture
    const { data: made } = await app.gql(
      admin,
      'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }',
      { input: { name: 'Mail', organization: organization.id, members: [{ user: fixture.agent.id }] } },
    )
    const conditions = { all: [{ fact: 'message', path: '.text', operator: 'match', value: 'Berth' }] }
    const event = { type: 'notify', params: { name: 'Mail', channels: [made.createChannel.id] } }
    const { errors } = await app.gql(
      admin,
      'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }',
      { input: { name: 'Mails', organization: organization.id, rules: [{ conditions, event }] } },
    )
    expect(errors).toBeUndefined()
    agent = liveClient(app.url, await app.tokenFor(fixture.agent))
  })
  afterAll(async () => {
    await agent?.dispose()
    await fixture?.close()
  })

  it('are each in the queue of an agent who looks at it', async () => {
    const queue = subscribe<QueueEvent>(agent, 'queue', QUEUE)
    expect((await queue.next()).__typename).toBe('QueueSnapshot')
    const service = await fixture.read()
    await deliver(fixture.mail, [letter({ text: 'Berth of the first, which says that the mailbox is read' })])
    await queue.next(({ entry }) => entry?.preview?.includes('of the first') === true)
    const lateMs: number[] = []
    for (let number = 1; number <= MAILS; number++) {
      await deliver(fixture.mail, [letter({ text: `Berth ${number}?` })])
      const deliveredAt = performance.now()
      const { entry } = await queue.next((event) => event.entry?.preview === `Berth ${number}?`)
      lateMs.push(performance.now() - deliveredAt)
      expect(entry!.touchpoint).toBe('EMAIL')
    }
    expect((await fixture.settled(service, MAILS + 1)).length).toBe(MAILS + 1)
    lateMs.sort((one, other) => one - other)
    const at = (share: number): number => Math.round(lateMs[Math.ceil(share * MAILS) - 1]!)
    process.stdout.write(
      `from the delivery of a mail to the queue on a screen, ${MAILS} mails: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms\n`,
    )
  }, 600_000)
})
