/** What one socket may do. Each bound has its close code or error; tests set smaller ones. */
export interface RealtimeLimits {
  /** Bytes of one message from a client; past it 1009. */
  messageBytes: number
  /** Operations under way at once on one socket; past it an error for that id. */
  operations: number
  /** Of all sockets of a user or a guest at this node; past them 4429, and an error for that id. */
  socketsPerUser: number
  operationsPerUser: number
  socketsPerGuest: number
  operationsPerGuest: number
  /** Messages a second, and at once; past it 4429. */
  messagesPerSecond: number
  messageBurst: number
  /** Until `connection_init` has come; then 4408. */
  initWaitMs: number
  /** Sockets of one network address; past it the upgrade gets 429. */
  socketsPerAddress: number
  /**
   * Bytes that a socket has not taken; past it 1013, and the client resumes from its cursor. It is looked at before a
   * frame, so that with one more of up to 64 KiB it is 1 MiB.
   */
  backlogBytes: number
  /** A replay waits while a socket has not taken this much. */
  replayBacklogBytes: number
  /** A socket that has been closed and does not answer is cut after this. */
  closeWaitMs: number
  /** Without a sign of life a socket is pinged after this, and cut after twice as long. */
  heartbeatMs: number
  /**
   * How often each socket is looked at: whether it lives, its caller has ended, its subscriptions are allowed still. One
   * that has just come waits for up to two rounds.
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
  initWaitMs: 10_000,
  socketsPerAddress: 20_000,
  backlogBytes: 983_040,
  replayBacklogBytes: 262_144,
  closeWaitMs: 5_000,
  heartbeatMs: 30_000,
  roundMs: 2_000,
}

/** Close codes of graphql-transport-ws and of WebSocket, as this server uses them. */
export const CloseCode = {
  UNSUPPORTED_DATA: 1003,
  RESTART: 1012,
  TRY_AGAIN_LATER: 1013,
  BAD_REQUEST: 4400,
  FORBIDDEN: 4403,
  TOO_MANY_MESSAGES: 4429,
  INTERNAL_ERROR: 4500,
} as const
