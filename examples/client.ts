import { createClient } from 'graphql-ws'

/** A refusal as the server words it: `extensions.code` and the message. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

interface Answer<Data> {
  data?: Data | null
  errors?: { message: string; extensions?: { code?: string } }[]
}

/** GraphQL over HTTP and over a socket, as any client in any language would speak it. */
export class Client {
  constructor(
    readonly serverUrl: string,
    readonly token: string | null = null,
  ) {}

  as(token: string): Client {
    return new Client(this.serverUrl, token)
  }

  /** Sends one query or mutation. @throws Refused */
  async send<Data>(query: string, variables: object = {}): Promise<Data> {
    const response = await fetch(`${this.serverUrl}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.token && { authorization: `Bearer ${this.token}` }),
      },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await response.json()) as Answer<Data>
    if (errors?.[0]) throw new Refused(errors[0].extensions?.code ?? 'UNKNOWN', errors[0].message)
    return data!
  }

  /** Subscribes on a socket of its own and calls `receive` with each event of the document's one field. */
  subscribe<Event>(query: string, variables: object, receive: (event: Event) => void): () => Promise<void> {
    const live = createClient({
      url: `${this.serverUrl.replace(/^http/, 'ws')}/graphql`,
      connectionParams: { authorization: `Bearer ${this.token}` },
    })
    live.subscribe<Record<string, Event>>(
      { query, variables: { ...variables } },
      {
        next: ({ data, errors }) => {
          if (errors?.[0]) throw new Refused('SUBSCRIPTION', errors[0].message)
          receive(Object.values(data!)[0]!)
        },
        error: (error) => {
          throw error instanceof Error ? error : new Error(`the subscription ended: ${JSON.stringify(error)}`)
        },
        complete: () => undefined,
      },
    )
    return async () => {
      await live.dispose()
    }
  }
}
