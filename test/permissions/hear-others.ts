import type { GraphQLSchema } from 'graphql'
import { liveClient } from '../support/live-client.js'
import type { TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { rootFields } from './documents.js'
import { graphqlTarget, type Request } from './requests.js'
import { filled, type Sample } from './sample.js'
import type { CallerName, World } from './world.js'

export const LISTENERS = ['consumer', 'guest', 'agent', 'bot', 'admin'] as const

export interface Heard {
  /** Everything that somebody was told, as text. */
  events: { by: CallerName; text: string }[]
  /** Operations that others did meanwhile. */
  writes: number
}

interface Stage {
  app: TestServer
  world: World
  schema: GraphQLSchema
  samples: readonly Sample[]
}

/** Said at last, for everybody: who hears it has listened all the time. */
export const LAST_WORDS = 'heard by all'

/**
 * Everybody of the own organization listens to all that they may, while administrators of the organizations out of sight
 * do everything there is, each in its own.
 */
export async function hearOthers(stage: Stage): Promise<Heard> {
  const { app, world } = stage
  const events: Heard['events'] = []
  const stops = await Promise.all(LISTENERS.map((by) => listen(stage, by, (text) => events.push({ by, text }))))
  try {
    let writes = 0
    for (const place of ['parent', 'sibling', 'foreign'] as const) {
      const records = { ...world.records, own: await world.copy(place) }
      const admin = world.admins[place]
      for (const request of writesOf(stage, records, admin.id)) {
        if (request.kind === 'graphql' && !(await app.gql(admin, request.query, request.variables)).errors) writes++
      }
    }
    await app.rest(world.admins.own, 'POST', `/v2/conversations/${world.records.own.conversation}/messages`, {
      role: 'agent',
      text: LAST_WORDS,
    })
    const heardBy = (by: CallerName): boolean =>
      events.some((event) => event.by === by && event.text.includes(LAST_WORDS))
    await until(() => LISTENERS.every(heardBy))
    return { events, writes }
  } finally {
    for (const stop of stops) await stop()
  }
}

/** Subscribes to everything; resolves when each subscription has told something or was refused. */
async function listen(
  { app, world, schema, samples }: Stage,
  by: CallerName,
  hear: (text: string) => void,
): Promise<() => Promise<void>> {
  const as = world.credentials[by]
  const client = liveClient(app.url, as === null || typeof as === 'string' ? as : await app.tokenFor(as))
  const subscriptions = rootFields(schema).filter(({ root }) => root === 'subscription')
  await Promise.all(
    samples
      .filter(({ isLive }) => isLive)
      .map((sample) => {
        const { field } = subscriptions.find((each) => each.field.name === sample.field)!
        const args = filled(sample.args, ({ ref: kind }) => world.records.own[kind], '') as Record<string, unknown>
        const request = graphqlTarget('subscription', field).request(args, by)
        if (request.kind !== 'live') throw new Error('no subscription')
        return new Promise<void>((resolve) => {
          client.subscribe(
            { query: request.query, variables: { ...request.variables } },
            {
              next: (result) => {
                hear(JSON.stringify(result))
                resolve()
              },
              error: () => resolve(),
              complete: () => resolve(),
            },
          )
        })
      }),
  )
  return async () => client.dispose()
}

/** Every mutation as it succeeds, with these records. */
function writesOf({ schema, samples }: Stage, records: World['records'], self: string): Request[] {
  return rootFields(schema)
    .filter(({ root }) => root === 'mutation')
    .flatMap(({ root, field }) => {
      const target = graphqlTarget(root, field)
      return samples
        .filter((sample) => sample.field === field.name && target.fits(sample))
        .map(({ args }) =>
          target.request(filled(args, ({ ref: kind }) => records.own[kind], self) as Record<string, unknown>, 'admin'),
        )
    })
}
