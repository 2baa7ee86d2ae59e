export { isId, newId } from './ids.js'
export type { TypedDocument } from './typed-document.js'
export {
  createRequest,
  passes,
  Refused,
  Unreachable,
  type Request,
  type RequestOptions,
  type TokenSource,
} from './request.js'
export type { ErrorCode } from './generated/schema.js'
export { Switchboard, type SwitchboardOptions } from './switchboard.js'
export {
  LiveClient,
  LiveView,
  OutOfStep,
  SignedOut,
  type LiveClientOptions,
  type LiveDocument,
  type LiveEvent,
  type LivePosition,
  type LiveViewOptions,
} from './live/live-view.js'
export { resumable, type ResumableOptions } from './live/resumable.js'
export { applyToEntries, entryKey, type Entries, type EntryKey } from './live/entries.js'
export {
  applyToConversation,
  type ConversationView,
  type MessageKey,
  type Typist,
  type Viewer,
} from './live/conversation.js'
export { withPart, type StreamedPart, type Written } from './live/written.js'
export { MessageStream, StreamEnded, type MessageStreamOptions } from './message-stream.js'
