import { sleep } from './victim.js'
import { Refused } from './api.js'
import { Random } from './random.js'
import { createConversation, type Person, type Stage } from './stage.js'

/** A write that was answered: its message is there from then on, whatever happens. */
export interface Acknowledged {
  key: string
  message: string
  /** By `performance.now()`. */
  at: number
  /** From the first attempt to the answer. */
  ms: number
}

export interface Written {
  acknowledged: Acknowledged[]
  /** Keys of those that a rule refused: an `/accept` that came too late, for instance. */
  refused: string[]
  /** Sent once, without a key, and not answered: whether they were done is not known. */
  unsure: number
}

export const WRITERS = 16
/** Between two writes of one writer, so that the writes spread over what happens rather than wait behind it. */
const PAUSE_MS_MAX = 120
/**
 * Share without a key of the messages that are no commands: what a key would hide is seen in these, namely what the
 * server repeats by itself.
 */
const WITHOUT_KEY = 0.25

const SEND = `mutation ($conversation: ID!, $message: MessageInput!, $key: String) {
  sendMessage(conversation: $conversation, message: $message, idempotencyKey: $key) { id }
}`

/** A writer's messages; the text of each is its key, so that a repeated write is detected, with a key or without. */
const KINDS: readonly {
  share: number
  by: 'bot' | 'agent'
  message: (key: string, stage: Stage, random: Random) => object
}[] = [
  { share: 0.4, by: 'bot', message: (key) => ({ role: 'contact', text: key }) },
  { share: 0.3, by: 'agent', message: (key) => ({ role: 'agent', text: key }) },
  { share: 0.1, by: 'agent', message: (key) => ({ type: 'command', text: '/accept', meta: { ifQueued: true, key } }) },
  { share: 0.1, by: 'agent', message: (key) => ({ type: 'command', text: '/leave', meta: { key } }) },
  {
    share: 0.1,
    by: 'bot',
    message: (key, { agents }, random) => {
      return { type: 'command', text: '/assign', meta: { users: [random.pick(agents).id], key } }
    },
  },
]

/** Writes over GraphQL and REST alternately until stopped. */
export async function runWriter(name: string, stage: Stage, random: Random, isOver: () => boolean): Promise<Written> {
  const written: Written = { acknowledged: [], refused: [], unsure: 0 }
  const conversations = [...stage.conversations]
  for (let turn = 0; !isOver(); turn += 1) {
    const key = `${name} ${turn}`
    if (random.chance(0.03)) conversations.push(await createConversation(stage.bot, key))
    const kind = pickKind(random)
    const person = kind.by === 'bot' ? stage.bot : random.pick(stage.agents)
    const message = kind.message(key, stage, random)
    const conversation = random.pick(conversations)
    const since = performance.now()
    try {
      const id =
        'text' in message && message.text === key && random.chance(WITHOUT_KEY)
          ? await sendOnce(person, conversation, message)
          : await send(person, conversation, message, key, turn % 2 === 0)
      const at = performance.now()
      if (id === null) written.unsure += 1
      else written.acknowledged.push({ key, message: id, at, ms: at - since })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      written.refused.push(key)
    }
    await sleep(random.between(0, PAUSE_MS_MAX))
  }
  return written
}

function pickKind(random: Random): (typeof KINDS)[number] {
  let left = random.next()
  return KINDS.find(({ share }) => (left -= share) < 0) ?? KINDS[0]!
}

async function sendOnce(person: Person, conversation: string, message: object): Promise<string | null> {
  const sent = await person.api.restOnce<{ id: string }>('POST', `/conversations/${conversation}/messages`, message)
  return sent && sent.id
}

async function send(
  person: Person,
  conversation: string,
  message: object,
  key: string,
  byRest: boolean,
): Promise<string> {
  if (byRest) {
    return (await person.api.rest<{ id: string }>('POST', `/conversations/${conversation}/messages`, message, key)).id
  }
  const { role, type, ...rest } = message as { role?: string; type?: string }
  const input = { ...rest, ...(role && { role: role.toUpperCase() }), ...(type && { type: type.toUpperCase() }) }
  return (await person.api.gql<{ id: string }>(SEND, { conversation, message: input, key })).id
}
