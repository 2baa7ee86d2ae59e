import { computed, signal, type ReadonlySignal } from '@preact/signals'
import { passes, type Request } from '@switchboard/client'
import { CannedResponsesDocument, type CannedResponsesQuery } from '../../generated/conversations.js'
import {
  ChannelsDocument,
  LabelsDocument,
  MeDocument,
  type ChannelsQuery,
  type LabelsQuery,
  type MeQuery,
  type SettingsFragment,
} from '../../generated/session.js'
import { speak } from '../locale.js'
import { prepareSounds } from './sounds.js'

/** The caller, who may read all of itself. */
export type Me = Omit<MeQuery['me'], 'settings'> & { settings: SettingsFragment }
export type CannedResponse = CannedResponsesQuery['cannedResponses']['edges'][number]['node']
export type Label = LabelsQuery['labels']['edges'][number]['node']
export type Channel = ChannelsQuery['channels']['edges'][number]['node']

interface ListPage<Node> {
  edges: { node: Node }[]
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}

const RETRY_MS = 2_000

/** The agent's own account, and what it knows of its organization: channels, colleagues, canned responses. */
export class OrganizationStore {
  readonly #me = signal<Me | null>(null)
  readonly #channels = signal<readonly Channel[] | null>(null)
  readonly #labels = signal<ReadonlyMap<string, Label>>(new Map())
  readonly #canned = signal<readonly CannedResponse[]>([])
  #isStopped = false

  constructor(
    private readonly request: Request,
    private readonly user: string,
  ) {}

  get me(): ReadonlySignal<Me | null> {
    return this.#me
  }

  get channels(): ReadonlySignal<readonly Channel[] | null> {
    return this.#channels
  }

  /** Labels of all organizations that the agent sees, by id, archived ones too. */
  get labels(): ReadonlySignal<ReadonlyMap<string, Label>> {
    return this.#labels
  }

  /** Responses of all organizations that the agent sees. */
  get canned(): ReadonlySignal<readonly CannedResponse[]> {
    return this.#canned
  }

  /** Channels of which this agent is a member. */
  readonly ownChannels = computed(() => {
    return this.#channels.value?.filter(({ members }) => members.some(({ userId }) => userId === this.user)) ?? null
  })

  /** True if this agent may see the reports of a channel. */
  readonly supervises = computed(
    () =>
      this.#channels.value?.some(({ members }) =>
        members.some(({ userId, supervisor }) => supervisor && userId === this.user),
      ) ?? false,
  )

  /** Colleagues who share a channel with this agent: all that an agent may know of the others (section 5). */
  readonly colleagues = computed(() => {
    const users = new Map<string, { id: string; displayName: string }>()
    for (const { members } of this.#channels.value ?? []) {
      for (const { userId, user } of members) if (user && userId !== this.user) users.set(userId, user)
    }
    return [...users.values()].toSorted((a, b) => a.displayName.localeCompare(b.displayName))
  })

  setSettings(settings: Me['settings']): void {
    const me = this.#me.peek()
    if (me) this.#meChanged({ ...me, settings })
  }

  /** Reads everything, again and again until the server answers. */
  async load(): Promise<void> {
    while (!this.#isStopped) {
      try {
        const [{ me }, channels, canned, labels] = await Promise.all([
          this.request(MeDocument, {}),
          this.#fetchChannels(),
          this.#fetchCanned(),
          this.#fetchLabels(),
        ])
        const settings = me.settings!
        this.#meChanged({ ...me, settings })
        if (settings.audioOnChat || settings.audioOnMessage) prepareSounds()
        this.#channels.value = channels
        this.#canned.value = canned
        this.#labels.value = new Map(labels.map((label) => [label.id, label]))
        return
      } catch (error) {
        if (!passes(error)) return
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  stop(): void {
    this.#isStopped = true
  }

  #meChanged(me: Me): void {
    this.#me.value = me
    speak(me.settings)
  }

  #fetchCanned(): Promise<CannedResponse[]> {
    return this.#fetchAll((after) =>
      this.request(CannedResponsesDocument, { after }).then((data) => data.cannedResponses),
    )
  }

  #fetchLabels(): Promise<Label[]> {
    return this.#fetchAll((after) => this.request(LabelsDocument, { after }).then((data) => data.labels))
  }

  #fetchChannels(): Promise<Channel[]> {
    return this.#fetchAll((after) => this.request(ChannelsDocument, { after }).then((data) => data.channels))
  }

  async #fetchAll<Node>(read: (after: string | null) => Promise<ListPage<Node>>): Promise<Node[]> {
    const all: Node[] = []
    for (let after: string | null = null; ;) {
      const { edges, pageInfo }: ListPage<Node> = await read(after)
      all.push(...edges.map(({ node }) => node))
      if (!pageInfo.hasNextPage) return all
      after = pageInfo.endCursor
    }
  }
}
