import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { WEBHOOK_EVENTS } from '../../src/webhooks/webhook-events.js'

it('shows every event of the registry in the guide', () => {
  const guide = readFileSync('docs/guide/webhooks.md', 'utf8')
  const rows = WEBHOOK_EVENTS.map(({ name, description }) => `| \`${name}\` | ${description} |`)
  expect(guide).toContain(['| Event | When |', '|---|---|', ...rows].join('\n'))
})
