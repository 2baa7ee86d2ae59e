import { setTimeout as pause } from 'node:timers/promises'
import { createBot } from '@switchboard/client/bot'

// A consumer in a process of its own, which another one kills: it tells each event that it has handled, and when by the machine's
// clock, and takes its time.
const { SERVER, BOT_TOKEN, SERVICE } = process.env
const bot = createBot({
  serverUrl: SERVER!,
  token: BOT_TOKEN!,
  service: SERVICE!,
  burstMs: 0,
  async onMessage({ text }) {
    await pause(Math.random() * 5)
    process.stdout.write(`${process.hrtime.bigint()} ${text}\n`)
    await pause(Math.random() * 5)
  },
})
await bot.run()
