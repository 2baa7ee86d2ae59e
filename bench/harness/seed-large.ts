import { parseArgs } from 'node:util'
import { seedLargeTenant } from './large-tenant.js'
import { Seeder } from './seed.js'

/**
 * `DATABASE_URL=… npm run bench:seed [-- --conversations 100000 --messages 1000000]`: a tenant with that history beside
 * what the database holds. The server must have made its schema before.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { conversations: { type: 'string', default: '100000' }, messages: { type: 'string', default: '1000000' } },
  })
  const [conversations, messages] = [Number(values.conversations), Number(values.messages)]
  const url = process.env.DATABASE_URL
  if (!url || !(conversations >= 1) || !(messages >= conversations)) {
    throw new Error('usage: DATABASE_URL=… npm run bench:seed [-- --conversations 100000 --messages 1000000]')
  }
  const seeder = new Seeder(url)
  const startedAt = performance.now()
  try {
    const seed = await seeder.organization(20)
    const longConversation = Math.floor((messages - conversations) / 10)
    const long = await seedLargeTenant(seeder, seed, { conversations, messages, longConversation }, (done) =>
      process.stdout.write(`${done} conversations\n`),
    )
    process.stdout.write(
      `organization ${seed.organization}, its longest conversation ${long}: ${conversations} ` +
        `conversations, about ${messages} messages in ${Math.round((performance.now() - startedAt) / 1_000)} s\n`,
    )
  } finally {
    await seeder.close()
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
