import { Refused, Switchboard } from '@switchboard/client'
import {
  AcceptConversationDocument,
  AssignConversationDocument,
  CONVERSATION,
  CreateConversationDocument,
  CreateGuestTokenDocument,
  GUEST_CONVERSATION,
  INBOX,
  LeaveConversationDocument,
  QUEUE,
  type CreateConversationInput,
} from '@switchboard/client/documents'
import { showAgent } from './agent-scene.js'
import { ROUTING_TRACE } from './documents.js'
import { reasonOf, serverAddress } from './server-address.js'
import { routingInWords } from './routing-in-words.js'
import { Screen } from './screen.js'
import { OVERFLOW_SECONDS, setUpStage, type Agent, type Stage } from './stage.js'
import { detail, heading, screen, stop } from './terminal.js'

const url = serverAddress(process.env)

/**
 * A consumer writes in, the right agents see it live, one of them answers and closes. It speaks to a running server as
 * any client would, with `@switchboard/client`: GraphQL over HTTP, and over sockets for what is live (`screen.ts`).
 */
async function tellStory(stage: Stage, serverUrl: string): Promise<void> {
  const { bot, ann, bob, channels } = stage

  heading('Ann and Bob open their screens, which brings their channels online')
  const open = ({ name, client }: Agent): Screen => {
    const opened = new Screen(name, channels)
    opened.watch(client, 'queue', QUEUE)
    opened.watch(client, 'inbox', INBOX)
    return opened
  }
  const [annScreen, bobScreen] = [open(ann), open(bob)]
  const agentScreens = [annScreen, bobScreen]
  await sawAll(agentScreens, 'QueueSnapshot', 'InboxSnapshot')

  heading('Carl writes in by the web: "buyers" tells Sales   (right: milliseconds from the write to the screen)')
  const inSales = sawAll(agentScreens, 'QueueEntryAdded')
  const conversation = await writeIn(bot)
  await inSales

  heading(`Nobody answers: ${OVERFLOW_SECONDS} s later "overflow" tells the Front desk as well`)
  await bobScreen.saw('QueueEntryAdded')

  heading('Ann and Bob accept in the same moment: one of them gets it')
  const offTheQueues = Promise.all([sawAll(agentScreens, 'QueueEntryRemoved'), bobScreen.saw('QueueEntryRemoved')])
  const winner = await race([ann, bob], conversation)
  await offTheQueues
  const [agentScreen, other, otherScreen] =
    winner === ann ? ([annScreen, bob, bobScreen] as const) : ([bobScreen, ann, annScreen] as const)

  heading(`${winner.name} opens the conversation and answers; Carl sees it in his browser and writes back`)
  const { createGuestToken } = await bot.request(CreateGuestTokenDocument, { conversation })
  const carl = new Switchboard({ serverUrl, token: createGuestToken.token })
  const carlScreen = new Screen('Carl', channels)
  carlScreen.watch(carl, 'browser', GUEST_CONVERSATION, { id: conversation })
  agentScreen.watch(winner.client, 'chat', CONVERSATION, { id: conversation })
  const chatScreens = [carlScreen, agentScreen]
  await sawAll(chatScreens, 'ConversationSnapshot')
  const say = async (client: Switchboard, role: 'AGENT' | 'CONTACT', text: string): Promise<void> => {
    const shown = sawAll(chatScreens, 'MessageAdded')
    await client.sendMessage(conversation, { role, text })
    await shown
  }
  await say(winner.client, 'AGENT', 'Good morning Carl. Sail or motor?')
  await say(carl, 'CONTACT', 'Sail, and big enough for two.')

  heading(`${winner.name} asks ${other.name} to look on, answers, and closes`)
  const asked = Promise.all([otherScreen.saw('InboxEntryAdded'), agentScreen.saw('MessageAdded')])
  await winner.client.request(AssignConversationDocument, { conversation, users: [other.id] })
  await asked
  await say(winner.client, 'AGENT', 'The Vega is yours. Welcome aboard!')
  const closed = sawAll(chatScreens, 'ConversationChanged')
  await winner.client.request(LeaveConversationDocument, { conversation })
  await closed

  heading('Why it was shown to whom, as an administrator reads it')
  const { conversation: traced } = await stage.admin.request(ROUTING_TRACE, { conversation })
  for (const line of traced!.routingTrace.flatMap((trace) => routingInWords(trace, channels))) detail(line)
  await Promise.all([bob.client, carl].map((client) => client.close()))
}

/** Does what the backend of a web widget does when a new consumer sends the first message. */
async function writeIn(bot: Switchboard): Promise<string> {
  const since = performance.now()
  const input: CreateConversationInput = {
    contact: { profile: { name: 'Carl', email: `carl.${crypto.randomUUID().slice(0, 8)}@example.com` } },
    touchpoint: 'WEB',
    messages: [{ role: 'CONTACT', text: 'Hello, I would like to buy a boat.' }],
  }
  const { createConversation: created } = await bot.request(CreateConversationDocument, { input })
  screen('Carl', 'answered', `conversation "${created.name}" is ${created.status}`, performance.now() - since)
  return created.id
}

/** All accept with `ifQueued`, which the server lets exactly one do. */
async function race(agents: Agent[], conversation: string): Promise<Agent> {
  const results = await Promise.all(
    agents.map(async (agent) => {
      const since = performance.now()
      const answered = (text: string): void => screen(agent.name, 'answered', text, performance.now() - since)
      try {
        const { acceptConversation } = await agent.client.request(AcceptConversationDocument, {
          conversation,
          ifQueued: true,
        })
        answered(`${agent.name} has it: ${acceptConversation.status}`)
        return [agent]
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        answered(`${error.code}: ${error.message}`)
        return []
      }
    }),
  )
  const winners = results.flat()
  if (winners.length !== 1) throw new Error(`${winners.length} agents were let in`)
  return winners[0]!
}

async function sawAll(screens: Screen[], ...types: Parameters<Screen['saw']>[0][]): Promise<void> {
  await Promise.all(screens.flatMap((each) => types.map((type) => each.saw(type))))
}

async function main(): Promise<void> {
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = process.env
  if (!ADMIN_EMAIL || !ADMIN_PASSWORD) {
    stop(`The demo signs in at ${url} as an administrator: give it ADMIN_EMAIL and ADMIN_PASSWORD.
They are what the server was first started with; without any it printed them once.`)
  }
  heading(`Setting the stage at ${url}`)
  const stage = await setUpStage(url, ADMIN_EMAIL, ADMIN_PASSWORD)
  await tellStory(stage, url)
  await showAgent(stage, url)
  heading('Look around')
  detail(`${url}/graphql as ${stage.ann.email} or ${stage.bob.email}, password ${stage.password}`)
}

main().then(
  () => process.exit(0),
  (error: unknown) => stop(`The demo ended: ${reasonOf(error, url)}`),
)
