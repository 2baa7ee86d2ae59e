import { Api, Refused } from './api.js'
import type { Stage } from './stage.js'
import type { TcpProxy } from './tcp-proxy.js'
import { sleep } from './victim.js'

const CREATE_POLICY = `mutation ($input: CreateSlaPolicyInput!, $key: String) {
  createSlaPolicy(input: $input, idempotencyKey: $key) { id } }`
const DELETE_POLICY = 'mutation ($id: ID!) { deleteSlaPolicy(id: $id) }'
const CREATE = `mutation ($input: CreateConversationInput!, $key: String) {
  createConversation(input: $input, idempotencyKey: $key) { clocks { clock } } }`
/** For so long a node may answer by what it knew before (docs/architecture/caches.md). */
const STALE_MS_MAX = 1_000
const QUIET_MS = STALE_MS_MAX + 500

/**
 * Keeps clients away from a node while the other one learns of the first SLA policy, and then asks the quiet one for a
 * conversation: it must have the policy's clock.
 */
export class QuietNodes {
  /** Conversations of a quiet node that did without the policy. */
  unaware = 0
  #last: Promise<void> = Promise.resolve()

  constructor(
    private readonly proxy: TcpProxy,
    private readonly nodeUrls: readonly string[],
    private readonly stage: Stage,
  ) {}

  /** One node at a time: somebody must serve. */
  inject(turn: number): Promise<void> {
    this.#last = this.#last.then(() => this.#keepQuiet(this.nodeUrls[turn % this.nodeUrls.length]!))
    return this.#last
  }

  async #keepQuiet(url: string): Promise<void> {
    const { owner, bot } = this.stage
    const key = `quiet ${crypto.randomUUID()}`
    const conditions = { all: [{ fact: 'conversation', path: '.meta.quiet', operator: 'equal', value: key }] }
    const targets = [{ clock: 'FIRST_RESPONSE', minutes: 10 }]
    const port = Number(new URL(url).port)
    this.proxy.avoid(port)
    try {
      const { id } = await owner.gql<{ id: string }>(CREATE_POLICY, { input: { name: key, conditions, targets }, key })
      await sleep(QUIET_MS)
      const made = await new Api(url, bot.api.token).gql<{ clocks: object[] }>(CREATE, {
        input: {
          touchpoint: 'WEB',
          contact: { profile: { name: 'Quinn', email: `${key.replaceAll(' ', '-')}@example.com` } },
          messages: [{ role: 'CONTACT', text: key }],
          meta: { quiet: key },
        },
        key: `${key} conversation`,
      })
      if (made.clocks.length === 0) this.unaware += 1
      await owner.gql(DELETE_POLICY, { id }).catch((error: unknown) => {
        // The request before the repeated one had its effect.
        if (!(error instanceof Refused)) throw error
      })
    } finally {
      this.proxy.serve(port)
    }
  }
}
