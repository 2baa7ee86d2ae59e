/** The public interface of the legacy client, as far as the tests use it. It comes without types. */
declare module 'chipchat' {
  import { EventEmitter } from 'node:events'
  import type { Server } from 'node:http'

  /** JSON of the server: the tests state what they expect of it. */
  // oxlint-disable-next-line typescript/no-explicit-any
  type Json = any

  export interface Options {
    token?: string
    refreshToken?: string
    email?: string
    secret?: string
    host?: string
    webhook?: string
    ignoreSelf?: boolean
    ignoreBots?: boolean
    ignoreUnjoined?: boolean
    onlyFirstMatch?: boolean
    preloadOrganizations?: boolean
    preloadBots?: boolean
    pagination?: object
    middleware?: { send?: unknown; receive?: unknown }
    fetchExtensions?: { beforeRequest?: unknown[]; afterResponse?: unknown[] }
  }

  type Callback = (error: Json, answer: Json) => void
  type Listener = (message: Json, context: Context) => unknown

  interface Resource {
    list(options?: object): Promise<Json>
    list(options: object, callback: Callback): void
    get(id: string, options?: object): Promise<Json>
    get(id: string, callback: Callback): void
    create(body: object): Promise<Json>
    create(body: object, callback: Callback): void
    update(id: string, body: object): Promise<Json>
    delete(id: string): Promise<Json>
    replace(id: string, body: object): Promise<Json>
  }

  export interface Context extends Record<string, Json> {
    id: string
    say(message: Json, extra?: object): Promise<Json>
    say(message: Json, callback: Callback): void
    ask(question: Json): Promise<Json>
    ask(question: Json, callback: Listener | string): void
    set(key: string, value?: Json): Promise<Json>
    get(key: string): Json
    accept(): Promise<Json>
    join(): Promise<Json>
    leave(): Promise<Json>
    assign(users: string | string[]): Promise<Json>
    notify(channels?: string | string[] | null, organizations?: string | string[] | null): Promise<Json>
  }

  class ChipChat extends EventEmitter {
    constructor(options?: Options)
    auth: { user: string; token: string; refreshToken: string; email: string }
    server: Server
    users: Resource
    bots: Resource
    channels: Resource
    contacts: Resource
    conversations: Resource
    messages: Resource
    organizations: Resource
    orggroups: Resource
    services: Resource
    forms: Resource
    workflows: Resource
    articles: Resource
    files: Resource
    locations: Resource
    conversation(conversation: string | object): Promise<Context>
    conversation(conversation: string | object, callback: (error: Json, context: Context) => void): void
    send(conversation: string, message: Json, extra?: object): Promise<Json>
    on(event: string | string[], listener: (...given: Json[]) => unknown): this
    on(event: string | string[], conditions: object, listener: Listener): this
    onText(triggers: unknown, listener: Listener): this
    onText(triggers: unknown, conditions: object, listener: Listener): this
    registerCallback(name: string, callback: Listener): void
    ingest(payload: object, signature?: string, options?: object): unknown
    start(port?: number): this
    close(): void
  }
  export default ChipChat
}
