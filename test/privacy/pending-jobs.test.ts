import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { hubEvents } from '../../src/modules/touchpoints/hub-events.js'
import { messengerEvents } from '../../src/modules/touchpoints/messenger/messenger-events.js'
import { telegramEvent } from '../../src/modules/touchpoints/telegram/telegram-events.js'
import { whatsappEvents } from '../../src/modules/touchpoints/whatsapp/whatsapp-events.js'
import { addJobs } from '../../src/platform/jobs/job.js'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'

const HOUR_MS = 3_600_000
const MARK = 'zqcanary'
const PHONE = '31612345678'

/**
 * Personal data in the payload of every kind of job: those that are pending when a contact is deleted are deleted too. Named by
 * `conversation`, `contact` or `other`; addressed by `addresses` or `recipient` at the `service`; nothing: ids, numbers, or what
 * is of staff and of the organization itself.
 */
const JOB_DATA: Readonly<Record<string, 'nothing' | 'named' | 'addressed'>> = {
  'message.process': 'named',
  'survey.ask': 'named',
  'routing.resume': 'named',
  'conversation.snooze': 'named',
  'conversation.closing': 'named',
  'clock.due': 'named',
  'clock.act': 'named',
  'offer.expire': 'named',
  'merge.suggest': 'named',
  'stream.lapse': 'named',
  'proposal.lapse': 'named',
  'push.send': 'named',
  'webhook.replay': 'named',
  'staffing.wrapUp': 'named',
  'transcript.mail': 'named',
  'transcript.code': 'named',
  'contact.fill': 'named',
  'contact.renamed': 'named',
  'contact.matched': 'named',
  'contact.said': 'named',
  'sms.media': 'addressed',
  'messenger.event': 'addressed',
  'instagram.event': 'addressed',
  'telegram.event': 'addressed',
  'whatsapp.event': 'addressed',
  'touchpoint.remove': 'addressed',
  // Ids of what the deletion removes: they find nothing any more.
  'touchpoint.deliver': 'nothing',
  'touchpoint.edit': 'nothing',
  'mailbox.file': 'nothing',
  'service.check': 'nothing',
  'message.copyDeleted': 'nothing',
  'attachment.remove': 'nothing',
  'attachment.sweep': 'nothing',
  // The erasures themselves.
  'privacy.erase': 'nothing',
  'contact.erase': 'nothing',
  // Ids of exports.
  'contactExport.write': 'nothing',
  'contactExport.end': 'nothing',
  'conversation.deleted': 'nothing',
  'message.deleted': 'nothing',
  'contactNote.deleted': 'nothing',
  'attachment.deleted': 'nothing',
  'hold.changed': 'nothing',
  'pendingChange.expire': 'nothing',
  'retention.begin': 'nothing',
  'retention.slice': 'nothing',
  // An agent's; ids.
  'staffing.missed': 'nothing',
  'staffing.answered': 'nothing',
  'staffing.wrapUpEnd': 'nothing',
  'staffing.changed': 'nothing',
  'user.invite': 'nothing',
  'user.apiTokenEnds': 'nothing',
  'user.departed': 'nothing',
  'user.memberships': 'nothing',
  'user.passwordReset': 'nothing',
  'bot.paused': 'nothing',
  'bot.governed': 'nothing',
  'bulk.slice': 'nothing',
  'channel.membersRemoved': 'nothing',
  'channel.assignment': 'nothing',
  'contactCenter.reopened': 'nothing',
  'domain.check': 'nothing',
  'scim.rights': 'nothing',
  'sender.mail': 'nothing',
  'template.sync': 'nothing',
  'telegram.poll': 'nothing',
  'instagram.token': 'nothing',
  'telegram.setUp': 'nothing',
  'workflow.publish': 'nothing',
  'workflow.publicationMail': 'nothing',
  'audit.seal': 'nothing',
  'report.fold': 'nothing',
  'presence.lost': 'nothing',
  'presence.back': 'nothing',
  // The addresses are a form's own.
  'results.mail': 'nothing',
}

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(async () => {
  await fixture.close()
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query(text, values)

/** As WhatsApp has it. */
const userIdOf = (address: string): string => `NL.${address}`
const isPhone = (address: string): boolean => /^\d+$/.test(address)
const personOf = (address: string): object => ({
  ...(isPhone(address) ? { wa_id: address } : { user_id: userIdOf(address) }),
  profile: { name: MARK },
})
const senderOf = (address: string): object =>
  isPhone(address) ? { from: address } : { from_user_id: userIdOf(address) }

/** Events as the platforms' bodies are read, with everything that they may hold of a person. */
const EVENTS: Record<string, (address: string) => object[]> = {
  'telegram.event': (address) => [
    telegramEvent({
      update_id: 1,
      message: {
        message_id: 1,
        chat: { id: address, type: 'private' },
        from: { first_name: `${MARK} first` },
        text: `${MARK} text`,
      },
    }),
  ],
  'messenger.event': (address) =>
    messengerEvents({
      object: 'page',
      entry: [{ id: '1', messaging: [{ sender: { id: address }, timestamp: 1, message: { mid: 'm', text: MARK } }] }],
    }),
  'instagram.event': (address) =>
    hubEvents(
      {
        object: 'instagram',
        entry: [
          {
            id: '1',
            messaging: [
              { sender: { id: address }, timestamp: 1, message: { mid: 'm', text: MARK } },
              { sender: { id: '1' }, recipient: { id: address }, message: { mid: 'e', is_echo: true, text: MARK } },
            ],
          },
        ],
      },
      'instagram',
    ),
  'whatsapp.event': (address) =>
    whatsappEvents({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            {
              field: 'messages',
              value: {
                metadata: { phone_number_id: '1' },
                contacts: [personOf(address)],
                messages: [{ id: 'w', ...senderOf(address), timestamp: '1', type: 'text', text: { body: MARK } }],
              },
            },
          ],
        },
      ],
    }),
}

/** Payloads of each kind with addresses. */
function payloadsOf(kind: string, service: string, address: string): object[] {
  if (kind === 'touchpoint.remove') return [{ service, recipient: address, providerIds: ['1'] }]
  if (kind === 'sms.media') return [{ service, addresses: [`+${address}`], text: { body: MARK } }]
  const addresses = kind === 'whatsapp.event' && !isPhone(address) ? [userIdOf(address)] : [address]
  return EVENTS[kind]!(address).map((event) => ({ service, bot: '1', addresses, event }))
}

async function makeService(organizationId: string): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `insert into service (id, organization_id, org1, type, touchpoint, created_at, updated_at)
     values ($1, $2, $2, 'canary', 'messenger', now(), now()) returning id`,
    [fixture.clock.newId(), organizationId],
  )
  return row!.id
}

const later = () => new Date(fixture.clock.now().getTime() + 48 * HOUR_MS)
const jobsWith = (words: string) =>
  sql<{ kind: string; payload: object }>(
    "select kind, payload from job where payload::text like '%' || $1 || '%' and kind <> 'privacy.erase'",
    [words],
  )

describe('pending jobs', () => {
  it('are declared, every kind: what they hold of consumers', async () => {
    const root = join(import.meta.dirname, '../../src')
    const kinds: string[] = []
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.ts')) continue
      const text = await readFile(join(entry.parentPath, entry.name), 'utf8')
      kinds.push(...[...text.matchAll(/defineJob<[\s\S]*?>\(\s*'([^']+)'/g)].map(([, kind]) => kind!))
    }
    expect(Object.keys(JOB_DATA).toSorted()).toEqual(kinds.toSorted())
  })

  it('that hold something of a deleted contact go with it, whichever their kind; those of others stay', async () => {
    const { id, contactId } = await fixture.inStatus('CLOSED')
    const [{ organization_id: organization }] = (await sql<{ organization_id: string }>(
      'select organization_id from contact where id = $1',
      [contactId],
    )) as [{ organization_id: string }]
    const [service, neighbour] = [await makeService(organization), await makeService(organization)]
    await sql('update contact set telephone = $2 where id = $1', [contactId, `+${PHONE}`])
    for (const address of [`${MARK}1`, userIdOf(`${MARK}1`), PHONE]) {
      await sql(
        `insert into contact_handle (contact_id, service_id, address, last_inbound_at, created_at) values ($1, $2, $3, now(), now())`,
        [contactId, service, address],
      )
    }
    const kinds = Object.entries(JOB_DATA)
    const add = (kind: string, payload: object, key: string) =>
      addJobs(fixture.server.database, [{ kind, key, runAt: later(), payload: payload as never }], fixture.clock)
    let count = 0
    for (const [kind, place] of kinds) {
      if (place === 'nothing') continue
      if (place === 'named') {
        await add(kind, { conversation: id, text: MARK }, `${MARK}:${kind}`)
        await add(kind, { contact: contactId, text: MARK }, `${MARK}:${kind}:contact`)
        await add(kind, { contact: fixture.clock.newId(), text: 'zqother' }, `other:${kind}`)
        count += 1
        continue
      }
      for (const address of kind === 'sms.media' ? [PHONE] : [`${MARK}1`, PHONE]) {
        for (const payload of payloadsOf(kind, service, address)) await add(kind, payload, `${MARK}:${kind}:${address}`)
      }
      // The same address at a service of another, and another address at the same service.
      const foreign = payloadsOf(kind, fixture.clock.newId(), PHONE)
      for (const payload of foreign) await add(kind, payload, `foreign:${kind}`)
      const others = payloadsOf(kind, neighbour, '31600000000')
      for (const payload of others) await add(kind, payload, `other:${kind}`)
      count += foreign.length + others.length
    }
    const payloads = (await jobsWith(MARK)).length
    expect(payloads).toBeGreaterThan(20)
    expect(
      await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id: contactId }),
    ).toMatchObject({ value: contactId })
    const left = await until(
      () =>
        sql<{ key: string }>('select key from job where run_at > $1', [
          new Date(fixture.clock.now().getTime() + HOUR_MS),
        ]),
      (jobs) => jobs.every(({ key }) => !key?.startsWith(MARK)),
    )
    expect(left.filter(({ key }) => key?.startsWith('foreign:') || key?.startsWith('other:'))).toHaveLength(count)
    // Their keys, which may be addresses, are swept too, and the erasure itself holds none.
    await until(
      () => sql<{ key: string }>("select key from job_partition where key like $1 || '%'", [MARK]),
      (found) => found.length === 0,
    )
    expect(
      await sql("select 1 from job where kind = 'privacy.erase' and payload::text ~ $1", [`${MARK}|${PHONE}`]),
    ).toEqual([])
  })
})
