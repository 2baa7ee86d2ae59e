/** Limits per socket, each with its close code or error; tests use smaller ones. */
export interface RealtimeLimits {
  /** Bytes of one client message; beyond that close code 1009. */
  messageBytes: number
  /** Concurrent operations per socket; beyond that an error for the operation's id. */
  operations: number
  /**
   * Limits for all sockets of a user or guest on this node; beyond them close code 4429, and an error for the
   * operation's id.
   */
  socketsPerUser: number
  operationsPerUser: number
  socketsPerGuest: number
  operationsPerGuest: number
  /** Messages per second, and per burst; beyond that close code 4429. */
  messagesPerSecond: number
  messageBurst: number
  /** Messages before the sign-in, members and elements in each, and its bytes; beyond that close code 4429, or 4400. */
  unknownMessages: number
  unknownValues: number
  unknownBytes: number
  /** Time limit for `connection_init`; after that close code 4408. */
  initWaitMs: number
  /** Sockets per network address; beyond that the upgrade gets 429. */
  socketsPerAddress: number
  /**
   * Bytes that the client has not yet accepted; beyond that close code 1013, and the client resumes from its cursor.
   * Checked before a frame is added, so that with one more frame of up to 64 KiB it is at most 1 MiB.
   */
  backlogBytes: number
  /** Bytes of large answers to queries and mutations that the client has not yet accepted; a single one may exceed it. */
  answersBytes: number
  /** A replay waits while the client has not accepted this much. */
  replayBacklogBytes: number
  /** Time until a closed socket that does not answer is terminated. */
  closeWaitMs: number
  /** A silent socket is pinged after this time, and terminated after twice as long. */
  heartbeatMs: number
  /**
   * Interval of the checks of each socket: whether it is alive, its caller has ended, its subscriptions are still
   * allowed. A new socket may wait for up to two intervals.
   */
  roundMs: number
}

export const REALTIME_LIMITS: Readonly<RealtimeLimits> = {
  messageBytes: 65_536,
  operations: 100,
  socketsPerUser: 2_000,
  operationsPerUser: 5_000,
  socketsPerGuest: 10,
  operationsPerGuest: 20,
  messagesPerSecond: 100,
  messageBurst: 200,
  unknownMessages: 20,
  unknownValues: 200,
  unknownBytes: 16_384,
  initWaitMs: 10_000,
  socketsPerAddress: 20_000,
  backlogBytes: 983_040,
  answersBytes: 33_554_432,
  replayBacklogBytes: 262_144,
  closeWaitMs: 5_000,
  heartbeatMs: 30_000,
  roundMs: 2_000,
}

/** Close codes of graphql-transport-ws and WebSocket used by this server. */
export const CloseCode = {
  UNSUPPORTED_DATA: 1003,
  RESTART: 1012,
  TRY_AGAIN_LATER: 1013,
  BAD_REQUEST: 4400,
  FORBIDDEN: 4403,
  TOO_MANY_MESSAGES: 4429,
  INTERNAL_ERROR: 4500,
} as const

/** Those of the protocol's library that are not used directly. */
const OTHER_CODES = [4401, 4406, 4408, 4409]
const KNOWN_CODES: ReadonlySet<number> = new Set([...Object.values(CloseCode), ...OTHER_CODES])

/**
 * Tells whether it is one of ours or of WebSocket itself: clients choose some codes, and may not choose how many there
 * are.
 */
export function isKnownCode(code: number): boolean {
  return (code >= 1000 && code <= 1015) || KNOWN_CODES.has(code)
}
