import { ApolloServer, type HeaderMap } from '@apollo/server'

const { executeOperation } = ApolloServer.prototype

/** The product's own plugin, Apollo's last one, for one operation. */
interface Listener {
  didResolveSource(request: object): Promise<void>
  responseForOperation(request: object): Promise<{ body: unknown; http: { status?: number; headers: HeaderMap } }>
}

/** Bypassed, the product's own plugin answers alone: all that is left out is Apollo's. */
export function bypassApollo(isBypassed: boolean): void {
  ApolloServer.prototype.executeOperation = isBypassed ? (executeByPlugin as never) : executeOperation
}

async function executeByPlugin(
  this: { internals: { plugins: { requestDidStart(): Promise<Listener> }[] } },
  request: { query: string },
  { contextValue }: { contextValue: object },
) {
  const listener = await this.internals.plugins.at(-1)!.requestDidStart()
  const state = { request, contextValue, source: request.query }
  await listener.didResolveSource(state)
  return listener.responseForOperation(state)
}
