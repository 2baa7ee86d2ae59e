import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

const ORGANIZATION = {
  meta: { tier: { name: 'gold' } },
  country: 'NL',
  industry: 'boats',
  locale: 'nl_NL',
  tags: ['fleet'],
  categories: [
    { name: 'Cars', forms: [] },
    { name: 'Boats', forms: [] },
  ],
}
const PROFILE = { name: 'Carl', email: 'carl@example.com', worksFor: 'Acme', address: { city: 'Utrecht' } }

/** Each path of the table, and what it holds for the conversation below. */
const PATHS: [fact: string, path: string, operator: string, value: unknown][] = [
  ['conversation', '.meta.intent', 'equal', 'buy'],
  ['conversation', '.category', 'equal', 'Boats'],
  ['conversation', '.categoryIndex', 'equal', 1],
  ['conversation', '.language', 'equal', 'nl'],
  ['message', '.text', 'equal', 'the last word'],
  ['message', '.meta.page.number', 'equal', 2],
  ['message', '.touchpoint', 'equal', 'sms'],
  ['contact', '.meta.crm', 'equal', 7],
  ['contact', '.email', 'equal', 'carl@example.com'],
  ['contact', '.worksFor', 'equal', 'Acme'],
  ['contact', '.address.city', 'equal', 'Utrecht'],
  ['organization', '.meta.tier.name', 'equal', 'gold'],
  ['organization', '.country', 'equal', 'NL'],
  ['organization', '.industry', 'equal', 'boats'],
  ['organization', '.locale', 'equal', 'nl_NL'],
  ['organization', '.tags', 'contains', 'fleet'],
  ['forms', '.category1', 'defined', false],
  ['results', '.names', 'doesNotContain', 'Order'],
  ['context', '.process', 'equal', 1],
  ['context', '.currentTime', 'between', [0, 2359]],
  ['context', '.currentHour', 'match', '^[0-2][0-9]$'],
  ['context', '.currentMin', 'between', [0, 59]],
  ['context', '.dayOfWeek', 'in', ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']],
]

describe('the facts of a conversation (4.6)', () => {
  // [4.6 fact conversation meta, fact conversation category, fact conversation categoryIndex, fact conversation
  // language, fact message meta, fact message text, fact message touchpoint, fact contact meta, fact contact email,
  // fact contact worksFor, fact contact address, fact organization id, fact organization meta, fact organization
  // country, fact organization industry, fact organization locale, fact organization tags, fact context process, fact
  // context currentTime, fact context currentHour, fact context currentMin, fact context dayOfWeek, conditions path
  // keys]
  it('are what the rules of a workflow see at each of their paths', async () => {
    const { id: organization } = fixture.organization
    await fixture.rest(fixture.admin, 'PATCH', `/v2/organizations/${organization}`, ORGANIZATION)
    const rows = [...PATHS, ['organization', '.id', 'equal', organization] as const]
    const rules = rows.map(([fact, path, operator, value]) => ({
      conditions: { all: [{ fact, path, operator, value }] },
      event: { type: 'notify', params: { name: `${fact}${path}`, channels: [fixture.channel] } },
    }))
    await fixture.makeWorkflow(rules)
    const { body: contact } = await fixture.rest(fixture.bot, 'POST', '/v2/contacts', {
      profile: PROFILE,
      meta: { crm: 7 },
    })
    const { id } = await fixture.create({
      contact: { id: contact.id },
      meta: { intent: 'buy' },
      language: 'nl',
      category: 'Boats',
      messages: [
        { role: 'CONTACT', text: 'the first', touchpoint: 'WEB' },
        { role: 'CONTACT', text: 'the last word', touchpoint: 'SMS', meta: { page: { number: 2 } } },
        { role: 'AGENT', text: "not the consumer's", meta: { page: { number: 3 } } },
        { type: 'COMMAND', text: '/leave' },
      ],
    })
    expect((await fixture.command(fixture.ann, id, '/notify')).code).toBeUndefined()
    const { entries } = (await fixture.show(id)).routingTrace[0]!
    expect(entries.map(({ rule, outcome }) => [rule!.name, outcome])).toEqual(
      rows.map(([fact, path]) => [`${fact}${path}`, 'FIRED']),
    )
  })
})
