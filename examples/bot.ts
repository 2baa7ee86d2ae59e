import { createServer, type Server } from 'node:http'
import { pathToFileURL } from 'node:url'
import { createBot } from '@switchboard/client/bot'

/**
 * A bot behind a webhook: it greets who writes in, asks what it is about, keeps the answer in a form, and hands the
 * conversation to the agents. Its address is registered as a service of type webhook, by an administrator.
 */
export interface BotOptions {
  /** Base of the addresses of Switchboard. */
  server: string
  /** API token of a user with the role bot. */
  token: string
  /** `params.secret` of the webhook: chosen at the registration, since the address has to answer before that. */
  secret: string
  /** Id of a static form with a field `topic`. */
  form: string
}

export function createExampleBot({ server, token, secret, form }: BotOptions): Server {
  const bot = createBot({
    serverUrl: server,
    token,
    secret,
    async onMessage(_message, conversation) {
      // It asks once: after that the conversation is the agents'.
      if (conversation.data.meta.bot === 'done') return
      await conversation.ask('topic', 'Welcome! I am a bot. What is it about?')
    },
    answers: {
      async topic({ text = '' }, conversation) {
        await conversation.say(
          { type: 'FIELD', text: `.topic ${text}`, meta: { form } },
          'Thank you. One of my colleagues will be with you in a moment.',
          { type: 'COMMAND', text: '/set bot done' },
          { type: 'COMMAND', text: '/enqueue' },
          { type: 'COMMAND', text: '/leave' },
        )
      },
    },
  })
  return createServer(bot.listener)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { SERVER = 'http://localhost:4000', BOT_TOKEN, WEBHOOK_SECRET, FORM, PORT = '4100' } = process.env
  createExampleBot({ server: SERVER, token: BOT_TOKEN!, secret: WEBHOOK_SECRET!, form: FORM! }).listen(Number(PORT))
}
