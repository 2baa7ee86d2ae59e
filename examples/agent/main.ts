import { serverAddress } from '../server-address.js'
import { stop } from '../terminal.js'
import { createAgent } from './agent.js'

// `npm run agent`, with what `npm run agent:set-up` has printed.
const { BOT_TOKEN, SERVICE, MODEL_URL, MODEL_KEY, MODEL_NAME = 'gpt-4o-mini' } = process.env
if (!BOT_TOKEN || !SERVICE) stop('The agent needs BOT_TOKEN and SERVICE: npm run --silent agent:set-up prints them.')

const agent = createAgent({
  serverUrl: serverAddress(process.env),
  token: BOT_TOKEN,
  service: SERVICE,
  ...(MODEL_URL && { model: { url: MODEL_URL, key: MODEL_KEY ?? null, name: MODEL_NAME } }),
})
process.stdout.write(
  `The agent takes its events, and answers by ${MODEL_URL ? `${MODEL_NAME} at ${MODEL_URL}` : 'quoting'}.\n`,
)
const ended = new AbortController()
process.once('SIGINT', () => ended.abort()).once('SIGTERM', () => ended.abort())
await agent.run(ended.signal)
