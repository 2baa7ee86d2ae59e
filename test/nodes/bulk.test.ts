import { expect, it } from '@jest/globals'
import { bulkWhileKilled } from './bulk-killed.js'

it('60 conversations while agents work, the node that labels them killed in the middle: each has one turn', async () => {
  const { total, done, skipped, failed } = await bulkWhileKilled({ conversations: 60, agents: 3 })
  expect(done + skipped + failed).toBe(total)
}, 600_000)
