import type { MadeUser } from '../support/factories.js'
import type { TestServer } from '../support/test-server.js'

export interface Taken {
  id: string
  event: string
  attempt: number
  // The tests state what they expect of it.
  payload: any // oxlint-disable-line typescript/no-explicit-any
}

export interface Taker {
  /** A service of type `events`. @returns its id */
  register(admin: MadeUser, params?: object): Promise<string>
  take(as: MadeUser, service: string, args?: { max?: number; waitSeconds?: number }): Promise<Taken[]>
  acknowledge(as: MadeUser, service: string, taken: readonly Pick<Taken, 'id'>[]): Promise<number>
  retry(as: MadeUser, service: string, taken: readonly Pick<Taken, 'id' | 'attempt'>[]): Promise<number>
  state(
    as: MadeUser,
    service: string,
  ): Promise<{ pending: number; taken: number; failed: number; waitingSince: string | null }>
}

/** Consumers of services of type `events`, by GraphQL. */
export function createTaker(app: TestServer): Taker {
  const ask = async (as: MadeUser, query: string, variables: Record<string, unknown>) => {
    const { data, errors } = await app.gql(as, query, variables)
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }
  const idsOf = (taken: readonly Pick<Taken, 'id'>[]) => taken.map(({ id }) => id)
  return {
    async register(admin, params = {}) {
      const { status, body } = await app.rest(admin, 'POST', '/v2/services', { type: 'events', params })
      if (status !== 201 || body.status !== 'active') throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.id
    },
    async take(as, service, args = {}) {
      const { takeEvents } = await ask(
        as,
        `mutation ($service: ID!, $max: Int, $waitSeconds: Int) {
          takeEvents(service: $service, max: $max, waitSeconds: $waitSeconds) { id event attempt payload } }`,
        { service, ...args },
      )
      return takeEvents
    },
    async acknowledge(as, service, taken) {
      const query = 'mutation ($service: ID!, $ids: [ID!]!) { acknowledgeEvents(service: $service, ids: $ids) }'
      return (await ask(as, query, { service, ids: idsOf(taken) })).acknowledgeEvents
    },
    async retry(as, service, taken) {
      const query =
        'mutation ($service: ID!, $ids: [ID!]!, $attempts: [Int!]!) { retryEvents(service: $service, ids: $ids, attempts: $attempts) }'
      const attempts = taken.map(({ attempt }) => attempt)
      return (await ask(as, query, { service, ids: idsOf(taken), attempts })).retryEvents
    },
    async state(as, service) {
      const query = 'query ($id: ID!) { service(id: $id) { events { pending taken failed waitingSince } } }'
      return (await ask(as, query, { id: service })).service.events
    },
  }
}
