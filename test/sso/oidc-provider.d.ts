declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  /** @param tolerance of clocks, in seconds */
  export function createMemoryAdapter(tolerance: number): unknown
}

/** The package has no types; these are of the parts that the tests use. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  export interface Interaction {
    uid: string
    params: Record<string, string | undefined>
    prompt: { name: string }
    session?: { accountId: string }
    grantId?: string
  }
  export interface Grant {
    addOIDCScope(scopes: string): void
    save(): Promise<string>
  }
  export default class Provider {
    constructor(issuer: string, configuration: object)
    Grant: new (of: { accountId: string; clientId: string }) => Grant
    callback(): RequestListener
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    on(event: string, hear: (...values: unknown[]) => void): void
  }
}
