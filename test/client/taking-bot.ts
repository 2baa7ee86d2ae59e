import { createBot } from '@switchboard/client/bot'

// A bot in a process of its own, which another one kills: it tells its parent what it does.
const { SERVER, BOT_TOKEN, SERVICE, STALLS } = process.env
const bot = createBot({
  serverUrl: SERVER!,
  token: BOT_TOKEN!,
  service: SERVICE!,
  burstMs: 0,
  async onMessage({ text }, conversation) {
    await conversation.say(`about ${text}`)
    process.stdout.write(`said ${text}\n`)
    // The event is never acknowledged.
    if (STALLS) await new Promise(() => setInterval(() => undefined, 1_000))
  },
})
await bot.run()
