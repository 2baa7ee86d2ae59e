import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from '@jest/globals'
import { newSecret, signatureHeaders } from '../../src/modules/webhooks/signing.js'
import { WEBHOOK_EVENTS } from '../../src/modules/webhooks/webhook-events.js'

const guide = readFileSync('docs/guide/webhooks.md', 'utf8')

it('shows every event of the registry in the guide', () => {
  const rows = WEBHOOK_EVENTS.map(({ name, description }) => `| \`${name}\` | ${description} |`)
  expect(guide).toContain(['| Event | When |', '|---|---|', ...rows].join('\n'))
})

// A reader's first receiver is on the reader's own machine.
it.each(['bots', 'legacy-clients', 'webhooks'])(
  '%s.md, which registers a webhook, names the setting for private addresses',
  (page) => {
    const text = readFileSync(`docs/guide/${page}.md`, 'utf8')
    expect(text).toMatch(/\bregister\b/i)
    expect(text).toContain('WEBHOOK_ALLOW_PRIVATE=true')
  },
)

type Verifier = (body: string, given: unknown, secret: string, now?: number) => boolean

/** The samples of code, as a receiver would paste them. */
const [byHub, byStandard] = [...guide.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
  // oxlint-disable-next-line typescript/no-implied-eval -- run as a receiver would run it
  ([, code]) => new Function('require', `${code}; return isGenuine`)(createRequire(import.meta.url)) as Verifier,
)

describe.each([
  ['whsec_ and base64', newSecret()],
  ['plain text', 'a secret of the receiver'],
])('the samples of the guide, with a secret of %s', (_form, secret) => {
  const sentAt = new Date('2026-11-22T10:00:00Z')
  const body = '{"id":"1","text":"Zoë"}'
  const headers = signatureHeaders({ id: 'e1', sentAt, body, secrets: [newSecret(), secret] })
  const single = signatureHeaders({ id: 'e1', sentAt, body, secrets: [secret] })

  it('accept what the server signs, also during a rotation of the secret', () => {
    expect(byHub!(body, single['x-hub-signature'], secret)).toBe(true)
    expect(byStandard!(body, single, secret, sentAt.getTime() + 299_000)).toBe(true)
    expect(byStandard!(body, headers, secret, sentAt.getTime() - 299_000)).toBe(true)
  })

  it('refuse another body, another secret, no signature, and a replayed delivery', () => {
    expect(byHub!(`${body} `, single['x-hub-signature'], secret)).toBe(false)
    expect(byHub!(body, undefined, secret)).toBe(false)
    const now = sentAt.getTime()
    expect(byStandard!(`${body} `, single, secret, now)).toBe(false)
    expect(byStandard!(body, single, newSecret(), now)).toBe(false)
    expect(byStandard!(body, {}, secret, now)).toBe(false)
    expect(byStandard!(body, { ...single, 'webhook-id': 'e2' }, secret, now)).toBe(false)
    expect(byStandard!(body, { ...single, 'webhook-timestamp': 'soon' }, secret, now)).toBe(false)
    expect(byStandard!(body, single, secret, now + 301_000)).toBe(false)
  })
})
