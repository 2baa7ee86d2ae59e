import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import { noticeBody } from '../../src/modules/webhooks/notices/notice-body.js'
import { noticeOf, testNotice } from '../../src/modules/webhooks/notices/notice.js'
import { WEBHOOK_EVENTS } from '../../src/modules/webhooks/webhook-events.js'
import type { JsonObject } from '../../src/platform/json.js'
import { readNotice } from './notice-contracts.js'

const PUBLIC_URL = 'https://chat.example'
const EVENTS = WEBHOOK_EVENTS.flatMap(({ names }) => names)

/** Builds an event's body, in which people gave these names and wrote this text. */
function bodyOf(event: string, text: string, name = text): string {
  const [resource = '', , type = 'contact'] = event.split('.')
  const record: JsonObject = { id: '1', name, displayName: name, title: name }
  const data: JsonObject = {
    [resource]: { ...record, error: text, message: text, comment: text, score: 4 },
    conversation: {
      id: 'c1',
      slug: 'blue-whale',
      type: resource === 'message' ? type : 'contact',
      name,
      status: 'queued',
      touchpoint: 'email',
      participants: [],
    },
    contact: { id: 'k1', profile: { name } },
    user: record,
    channel: record,
    organization: record,
    deliveries: [{ status: 'failed' }],
    previous: { status: 'active' },
    ...(resource === 'message' && { message: { id: 'm1', role: 'contact', text, contentType: 'text/plain' } }),
  }
  return JSON.stringify({ event, data, activity: { actor: { type: 'Person', name } } })
}

describe('a notice', () => {
  it.each(EVENTS)('has words for %s, and a body that each receiver takes', (event) => {
    const notice = noticeOf(bodyOf(event, 'Eve'), null, PUBLIC_URL)
    expect(notice.says).toMatch(/^[A-Z].*\.$/)
    expect(notice.says).not.toMatch(/^Event |undefined|null/)
    for (const format of ['slack', 'teams'] as const) {
      const { text, links } = readNotice(format, noticeBody(format, notice))
      expect(text).toContain(notice.says)
      expect(links).toEqual([expect.stringMatching(/^https:\/\/chat\.example\/console/)])
    }
  })

  it.each<[string, JsonObject, string]>([
    ['conversation.offerEnd', { outcome: 'expired' }, 'The offer of the conversation with Eve to Eve expired.'],
    ['conversation.offerEnd', { outcome: 'declined' }, 'Eve declined the offer of the conversation with Eve.'],
    [
      'conversation.clockBreach',
      { clock: { clock: 'firstResponse' } },
      'SLA target missed: the first response in the conversation with Eve.',
    ],
    [
      'conversation.proposal',
      { proposal: { kind: 'reply', status: 'pending' } },
      'A bot proposed an answer in the conversation with Eve.',
    ],
    [
      'conversation.proposal',
      { proposal: { kind: 'reply', status: 'rejected' } },
      'A bot’s proposal in the conversation with Eve was rejected.',
    ],
    ['user.availability', { availability: 'wrapUp' }, 'Eve wraps up.'],
    ['channel.notify', {}, 'The conversation with Eve waits in the queue of Eve.'],
    ['conversation.create', {}, 'New conversation with Eve, waiting for an agent.'],
    ['message.create.contact.chat', {}, 'New message from Eve.'],
    ['service.error', {}, 'The service Eve (unknown) does not work.'],
    ['slaPolicy.update', {}, 'The SLA policy Eve was changed by Eve.'],
    ['something.new', {}, 'Event something.new.'],
  ])('tells %s with %j in words', (event, raw, says) => {
    const body = event === 'something.new' ? JSON.stringify({ event, data: {} }) : bodyOf(event, 'Eve')
    expect(noticeOf(body, raw, PUBLIC_URL).says).toBe(says)
  })

  it('shows what is hostile as text: nobody is mentioned, nothing is marked up, no secret address opens', () => {
    const hostile = [
      '<!channel> <!here> <@U024BE7LH> <#C024BE7LR> <!subteam^S1|all>',
      '<https://evil.example|the console> &lt;!channel&gt; &amp;lt;',
      '<at>Everyone</at> < AT id="1">x</ at >',
      '[the console](https://evil.example) **bold** `code` ![x](https://evil.example/x.png)',
      '<script>alert(1)</script><img src=x onerror=alert(1)>',
      'a\u202e gpj.exe \u0000 \u2066 b',
      '\u{1f469}\u200d\u{1f680}'.repeat(400),
      '&'.repeat(10_000),
      '\n>'.repeat(2_000),
      '"]}',
    ]
    for (const text of hostile) {
      for (const event of ['message.create.contact.chat', 'service.error', 'rating.update', 'conversation.update']) {
        const notice = noticeOf(bodyOf(event, text), null, PUBLIC_URL)
        for (const format of ['slack', 'teams'] as const) {
          const body = noticeBody(format, notice)
          const { links, text: shown } = readNotice(format, body)
          expect(links).toHaveLength(1)
          expect(links[0]).toMatch(/^https:\/\/chat\.example\/console/)
          for (const unseen of ['\u0000', '\u202e', '\u2066']) expect(shown).not.toContain(unseen)
          expect(body).not.toContain('"entities"')
        }
      }
    }
  })

  it('keeps the limits of each receiver, whatever was written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...EVENTS),
        fc.string({ unit: 'binary', maxLength: 3_000 }),
        fc.string({ unit: fc.constantFrom('<', '>', '&', '!', '@', '\n', 'at', '|', '\\', '"', ' ') }),
        (event, text, name) => {
          const notice = noticeOf(bodyOf(event, text, name), null, PUBLIC_URL)
          expect([...(notice.text ?? '')].length).toBeLessThanOrEqual(301)
          for (const format of ['slack', 'teams'] as const) readNotice(format, noticeBody(format, notice))
        },
      ),
      { numRuns: 500 },
    )
    expect.hasAssertions()
  })

  it('shows HTML as its text', () => {
    const event = 'message.create.contact.chat'
    const { data, ...rest } = JSON.parse(bodyOf(event, '<p>Where is <b>my order</b>?</p>', 'Eve'))
    data.message.contentType = 'text/html'
    expect(noticeOf(JSON.stringify({ ...rest, data }), null, PUBLIC_URL).text).toBe('Where is my order?')
  })

  it('of a test names the service', () => {
    const notice = testNotice('Front desk <!channel>', PUBLIC_URL)
    expect(readNotice('slack', noticeBody('slack', notice)).text).toContain(
      'This is a test of the service “Front desk <!channel>”',
    )
    expect(readNotice('teams', noticeBody('teams', testNotice(null, PUBLIC_URL))).text).toContain('This is a test of')
  })
})
