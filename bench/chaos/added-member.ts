import { Refused } from './api.js'
import { createConversation, type Stage } from './stage.js'
import type { Random } from './random.js'
import { sleep } from './victim.js'

const ADD = 'mutation ($channel: ID!, $user: ID!) { addChannelMember(channel: $channel, user: $user) { id } }'
const REMOVE = 'mutation ($channel: ID!, $user: ID!) { removeChannelMember(channel: $channel, user: $user) { id } }'
const REACHED = 'query ($id: ID!) { conversation(id: $id) { channels channelsOffline } }'
/** A screen whose socket or node is away comes back within this, on a busy machine too. */
const ONLINE_MS_MAX = 60_000
const RETRY_MS = 500

/** Adds an agent whose queue is on screen to a channel without members: from then on the channel has somebody online. */
export class AddedMembers {
  added = 0
  /** Members whose channel remained without anybody online. */
  neverOnline = 0
  /** By agent: with each of them its queue on screen is another one, and comes as a snapshot. */
  readonly changes = new Map<string, number>()

  constructor(private readonly stage: Stage) {}

  async inject(random: Random): Promise<void> {
    const { owner, agents } = this.stage
    const name = `Joined ${crypto.randomUUID()}`
    const { id: channel } = await owner.rest<{ id: string }>('POST', '/channels', { name }, name)
    const user = random.pick(agents).id
    await this.#change(ADD, { channel, user })
    this.added += 1
    const until = Date.now() + ONLINE_MS_MAX
    while (!(await this.#isReached(channel, `${name} ${until - Date.now()}`))) {
      if (Date.now() > until) return void (this.neverOnline += 1)
      await sleep(RETRY_MS)
    }
    // It goes from the screen again, with what it has queued.
    if (random.chance(0.5)) await this.#change(REMOVE, { channel, user })
  }

  /** Queues a conversation for the channel. @returns whether somebody of it was told */
  async #isReached(channel: string, key: string): Promise<boolean> {
    const { bot } = this.stage
    const id = await createConversation(bot, key)
    const notify = { type: 'command', text: '/notify', meta: { channels: [channel] } }
    await bot.api.rest('POST', `/conversations/${id}/messages`, notify, `${key} notify`)
    const found = await bot.api.gql<{ channels: string[]; channelsOffline: string[] }>(REACHED, { id })
    return !found.channelsOffline.includes(channel)
  }

  async #change(mutation: string, variables: { channel: string; user: string }): Promise<void> {
    this.changes.set(variables.user, (this.changes.get(variables.user) ?? 0) + 1)
    await this.stage.owner.gql(mutation, variables).catch((error: unknown) => {
      // The request before the repeated one had its effect.
      if (!(error instanceof Refused)) throw error
    })
  }
}
