import { GraphQLError, type DocumentNode, type ExecutionResult, type GraphQLFormattedError } from 'graphql'
import { makeServer, type SubscribePayload } from 'graphql-ws'
import type { Logger } from 'pino'
import type { Context } from '../../platform/context.js'
import type { Authenticator } from '../../platform/access/authenticator.js'
import { BadUserInput, DomainError, RateLimited } from '../../platform/errors.js'
import type { FairQueue } from '../../platform/fairness/fair-queue.js'
import type { LiveSource } from '../../platform/events/live-feed.js'
import { formatError } from '../graphql/errors.js'
import type { OperationGate } from '../graphql/apollo.js'
import type { PreparedOperation } from '../graphql/documents.js'
import type { Operations, OperationResponse } from '../graphql/operations.js'
import { refuseDeep } from '../../platform/request-json.js'
import type { CallerSockets } from './caller-sockets.js'
import { CloseCode, type RealtimeLimits } from './limits.js'
import { readLiveDocument } from './live-document.js'
import type { LiveSocket } from './live-socket.js'
import type { SocketOperation } from './caller-sockets.js'
import { Subscription, type SubscriptionServices } from './subscription.js'

export interface ProtocolOptions extends SubscriptionServices {
  operations: Operations
  /** The way of every operation. */
  gate: OperationGate
  authenticator: Authenticator
  sources: readonly LiveSource[]
  callers: CallerSockets
  /** Schedules the set-up of subscriptions. */
  setUps: FairQueue
  log: Logger
  limits: RealtimeLimits
}

/** Handles a socket's messages. */
export interface ProtocolConnection {
  /** Never rejects; an invalid message closes the socket. */
  onMessage(text: string): Promise<void>
  onClosed(code: number, reason: string): Promise<void>
}

/** The operation passed to graphql-ws: either executed already, or a subscription that runs by itself. */
export interface AcceptedOperation {
  document: DocumentNode
  operationName: string | undefined
  answer: Subscription | ExecutionResult
}

const ID_CHARS_MAX = 256
/** Prefix of graphql-ws's error for a server message, such as `next`, that a client sends. */
const SERVER_MESSAGE = 'Unexpected message of type'

/**
 * Creates the server side of graphql-transport-ws. graphql-ws keeps the protocol's state; documents, permissions and
 * execution are this server's, so that a client's request can only close its socket where the protocol requires it.
 */
export function createProtocol(options: ProtocolOptions): (socket: LiveSocket) => ProtocolConnection {
  const { log, newContext } = options
  const sources = new Map(options.sources.map((source) => [source.field, source]))
  const run = (args: unknown): Subscription | ExecutionResult => (args as AcceptedOperation).answer
  const server = makeServer<Record<string, unknown>, { socket: LiveSocket; authorization: string | undefined }>({
    connectionInitWaitTimeout: options.limits.initWaitMs,
    onConnect: ({ connectionParams, extra }) =>
      signIn(options, extra.socket, authorizationOf(connectionParams) ?? extra.authorization),
    onSubscribe: async ({ extra }, id, payload) =>
      (await accept(options, sources, extra.socket, { id, payload })) as never,
    execute: run as never,
    subscribe: run as never,
    // Already formatted.
    onNext: (_ctx, _id, _payload, _args, result) => result as never,
    onError: ({ extra }, _id, _payload, errors) => {
      const scope = { requestId: newContext(extra.socket).requestId, log }
      return (errors as readonly GraphQLError[]).map((error) => formatError(error, scope))
    },
  })
  return (socket) => connect(server, socket, log)
}

function connect(server: ReturnType<typeof makeServer>, socket: LiveSocket, log: Logger): ProtocolConnection {
  let receive: (text: string) => Promise<void> = async () => undefined
  const onClosed = server.opened(
    {
      protocol: socket.protocol,
      send: (text) => socket.send(text),
      close: (code, reason) => socket.close(code ?? CloseCode.INTERNAL_ERROR, reason ?? ''),
      onMessage: (handler) => {
        receive = handler
      },
    },
    { socket, authorization: socket.upgradeAuthorization },
  )
  return {
    async onMessage(text) {
      try {
        await receive(text)
      } catch (error) {
        if (error instanceof Error && error.message.startsWith(SERVER_MESSAGE)) {
          socket.close(CloseCode.BAD_REQUEST, 'only servers may send this message')
          return
        }
        log.error({ err: error }, 'failed to handle a message')
        socket.close(CloseCode.INTERNAL_ERROR, 'internal server error')
      }
    },
    onClosed: async (code, reason) => onClosed(code, reason),
  }
}

function authorizationOf(params: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const given = params?.authorization ?? params?.Authorization
  return typeof given === 'string' ? given : undefined
}

/** Authenticates the socket, which is closed with the reason if the credentials are invalid. */
async function signIn(
  { authenticator, callers, turns, log }: ProtocolOptions,
  socket: LiveSocket,
  authorization: string | undefined,
): Promise<boolean> {
  try {
    const caller = await authenticator.authenticate(authorization, socket.address, { isUnattended: true })
    await turns.enter()
    if (!caller) socket.close(CloseCode.FORBIDDEN, 'authentication is required')
    // A socket that was closed in the meantime would be counted forever.
    if (caller && caller.kind !== 'guest' && socket.isForGuests) {
      socket.close(CloseCode.FORBIDDEN, `pages of ${socket.origin} may open sockets for guests only`)
    }
    if (!caller || socket.isClosing) return false
    callers.enter(caller, socket.operations)
    socket.caller = caller
  } catch (error) {
    if (error instanceof RateLimited) {
      socket.close(CloseCode.TOO_MANY_MESSAGES, error.message)
    } else if (error instanceof DomainError) {
      socket.close(CloseCode.FORBIDDEN, error.message)
    } else {
      log.error({ err: error }, 'failed to authenticate a socket')
      socket.close(CloseCode.TRY_AGAIN_LATER, 'the service is temporarily unavailable')
    }
  }
  return !socket.isClosing
}

/** Reserves the id of an operation that is not a subscription, or is being prepared. */
class Placeholder implements SocketOperation {
  isDropped = false

  constructor(readonly id: string) {}

  drop(): void {
    this.isDropped = true
  }
}

/** For an operation whose id was completed and reused while it was prepared: it must not send anything with that id. */
const NO_ANSWER = (): Promise<never> => new Promise<never>(() => undefined)

export interface AskedOperation {
  id: string
  payload: SubscribePayload
  /** Cursor with which the client came back, in place of the argument `after`. */
  after?: string | null
  /** It must change nothing: it came by GET. */
  isReading?: boolean
}

/** Executes a query or mutation, or opens a subscription. @returns errors for one that is refused */
export async function accept(
  options: ProtocolOptions,
  sources: ReadonlyMap<string, LiveSource>,
  socket: LiveSocket,
  { id, payload, after = null, isReading = false }: AskedOperation,
): Promise<AcceptedOperation | GraphQLError[]> {
  const { operations, limits, newContext } = options
  if (id.length > ID_CHARS_MAX) {
    socket.close(CloseCode.BAD_REQUEST, `an id may have ${ID_CHARS_MAX} characters`)
    return NO_ANSWER()
  }
  const ctx = newContext(socket)
  // The client may have completed the id's previous operation before this server has seen it end.
  socket.operations.get(id)?.drop()
  if (socket.operations.size >= limits.operations) {
    const message = `a socket may have ${limits.operations} concurrent operations`
    return toErrors(operations.refuse(ctx, new RateLimited(message, 1)))
  }
  const { exhausted } = socket.operations
  if (exhausted !== null) {
    const message = `a caller may have ${exhausted} concurrent operations on its sockets`
    return toErrors(operations.refuse(ctx, new RateLimited(message, 1)))
  }
  const placeholder = new Placeholder(id)
  socket.operations.set(id, placeholder)
  const { query, operationName, variables, extensions } = payload
  let subscription: Subscription | null = null
  let document: DocumentNode | null = null
  const execute = async (prepared: PreparedOperation): Promise<OperationResponse> => {
    ;({ document } = prepared)
    if (isReading && prepared.kind === 'mutation') throw new BadUserInput('query', 'a mutation needs POST')
    if (prepared.kind !== 'subscription') {
      if (socket.caller) options.authenticator.noteUse(socket.caller)
      return operations.respondTo(ctx, prepared, variables ?? {})
    }
    subscription = await openSubscription(options, sources, { ctx, socket, placeholder, prepared, variables, after })
    return { status: 200, data: null }
  }
  const { status: _status, ...answer } = await options.gate.run(
    ctx,
    { query, operationName, variables, extensions },
    execute,
  )
  const opened = subscription as Subscription | null
  if (opened?.isEnded) return NO_ANSWER()
  if (!opened) release(socket, placeholder)
  if (placeholder.isDropped) return NO_ANSWER()
  const isAnswer = 'data' in answer && document !== null
  if (opened && answer.errors) {
    // A plugin has refused it.
    opened.drop()
    return toErrors(answer)
  }
  if (!isAnswer) return toErrors(answer)
  return {
    document: document!,
    operationName: operationName || undefined,
    answer: opened ?? (answer as ExecutionResult),
  }
}

interface AskedSubscription {
  ctx: Context
  socket: LiveSocket
  placeholder: Placeholder
  prepared: PreparedOperation
  variables: SubscribePayload['variables']
  after: string | null
}

/** @returns null if its id was completed meanwhile @throws DomainError when the caller may not subscribe */
async function openSubscription(
  options: ProtocolOptions,
  sources: ReadonlyMap<string, LiveSource>,
  { ctx, socket, placeholder, prepared, variables, after }: AskedSubscription,
): Promise<Subscription | null> {
  const { operations } = options
  const { id } = placeholder
  refuseDeep(variables, 'variables')
  const asked = readLiveDocument(operations.schema, prepared, variables ?? {})
  const live = after === null ? asked : { ...asked, args: { ...asked.args, after } }
  await operations.admit(ctx, prepared, live.variables)
  if (placeholder.isDropped) return null
  const source = sources.get(live.field)
  if (!source) throw new BadUserInput('query', `the subscription ${live.field} has no source`)
  const isSetUp = await options.setUps.enter(ctx.share!)
  await options.turns.enter()
  if (placeholder.isDropped) {
    isSetUp()
    return null
  }
  const subscription = new Subscription(options, { socket, id, document: live, source, isSetUp })
  socket.operations.set(id, subscription)
  try {
    await subscription.open()
  } catch (error) {
    if (subscription.isEnded) return subscription
    subscription.drop()
    throw error
  }
  return subscription
}

function release(socket: LiveSocket, operation: SocketOperation): void {
  if (socket.operations.get(operation.id) === operation) socket.operations.delete(operation.id)
}

function toErrors({ errors = [] }: { errors?: OperationResponse['errors'] }): GraphQLError[] {
  return errors.map(({ message, extensions = {} }: GraphQLFormattedError) => new GraphQLError(message, { extensions }))
}
