// Made by web/generate.mjs of schema.graphql and the documents: do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocument } from '@switchboard/client'
export type ActionType =
  | 'LINK'
  | 'LOCATION_REQUEST'
  | 'POSTBACK'
  | 'REPLY'
  | 'WEBVIEW';

export type Availability =
  | 'AVAILABLE'
  | 'AWAY'
  | 'BUSY'
  | 'NOT_RESPONDING'
  | 'OFFLINE';

export type ClockKind =
  | 'FIRST_RESPONSE'
  | 'NEXT_RESPONSE'
  | 'QUEUE'
  | 'RESOLUTION';

export type ClockState =
  | 'BREACHED'
  | 'CANCELLED'
  | 'MET'
  | 'PAUSED'
  | 'RUNNING';

export type ContentType =
  | 'IMAGE_GIF'
  | 'IMAGE_JPEG'
  | 'IMAGE_JPG'
  | 'IMAGE_PNG'
  | 'TEXT_HTML'
  | 'TEXT_PLAIN'
  | 'TEXT_URL';

export type ConversationStatus =
  | 'ACTIVE'
  | 'ARCHIVED'
  | 'CLOSED'
  | 'QUEUED';

export type DeliveryStatus =
  | 'DELIVERED'
  | 'FAILED'
  | 'MAYBE_SENT'
  | 'QUEUED'
  | 'READ'
  | 'SENT';

export type MessageRole =
  | 'AGENT'
  | 'BOT'
  | 'CONTACT'
  | 'SYSTEM';

export type MessageType =
  | 'CARD'
  | 'CHAT'
  | 'COMMAND'
  | 'FIELD'
  | 'FORM'
  | 'MENTION'
  | 'POSTBACK'
  | 'REPORT'
  | 'RESULTS'
  | 'SEARCH'
  | 'TAG';

export type OfferOutcome =
  | 'ACCEPTED'
  | 'DECLINED'
  | 'EXPIRED'
  | 'WITHDRAWN';

export type QueueExit =
  | 'ACCEPTED'
  | 'ARCHIVED'
  | 'CLOSED'
  | 'DELETED'
  | 'REROUTED';

export type Touchpoint =
  | 'EMAIL'
  | 'MESSENGER'
  | 'SMS'
  | 'WEB';

export type UserRole =
  | 'ADMIN'
  | 'AGENT'
  | 'BOT'
  | 'OWNER'
  | 'VIEWER';

export type QueueRowFragment = { conversation: string, channel: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, queuedAt: string, nextDue: string | null };

export type InboxRowFragment = { conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null, nextDue: string | null };

export type ThreadConversationFragment = { id: string, slug: string, url: string, name: string, status: ConversationStatus, touchpoint: Touchpoint | null, category: string | null, categoryIndex: number | null, language: string | null, channels: Array<string>, channelsOffline: Array<string>, organizationId: string, contactId: string | null, meta: Record<string, unknown>, queuedAt: string | null, createdAt: string, contact: { id: string, profile: { name: string | null } } | null, touchpoints: { web: { selected: boolean } | null, messenger: { selected: boolean } | null, email: { selected: boolean } | null, sms: { selected: boolean } | null }, forms: Array<{ formId: string, name: string, values: Record<string, unknown>, completedAt: string | null }> };

export type ThreadParticipantFragment = { userId: string, name: string | null, avatar: string | null, role: UserRole, active: boolean, accepted: boolean, inbox: boolean, follow: boolean, unreadCount: number };

export type ThreadClockFragment = { id: string, clock: ClockKind, state: ClockState, dueAt: string | null, endedAt: string | null };

export type ThreadButtonFragment = { type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null };

export type ThreadMessageFragment = { id: string, position: number, type: MessageType, role: MessageRole, isBackchannel: boolean, userId: string | null, contentType: ContentType, text: string | null, touchpoint: Touchpoint | null, meta: Record<string, unknown> | null, likes: Array<string>, createdAt: string, updatedAt: string, editedAt: string | null, user: { id: string, displayName: string, avatar: string | null } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null }> | null, deliveries: Array<{ id: string, touchpoint: Touchpoint, status: DeliveryStatus, reason: string | null, recipient: string | null, attempts: number, segments: number | null, updatedAt: string }>, attachment: { id: string, url: string, fileName: string, fileType: string, size: number } | null, results: Array<
    | { name: string, values: Record<string, unknown> }
    | { name: string, values: Record<string, unknown> }
  > | null, comments: Array<{ user: string, text: string, message: string }> };

export type QueueSubscriptionVariables = Exact<{
  channels?: Array<string> | null | undefined;
  after?: string | null | undefined;
}>;


export type QueueSubscription = { queue:
    | { __typename: 'QueueEntryAdded', cursor: string, at: string, entry: { conversation: string, channel: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, queuedAt: string, nextDue: string | null } }
    | { __typename: 'QueueEntryChanged', cursor: string, at: string, entry: { conversation: string, channel: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, queuedAt: string, nextDue: string | null } }
    | { __typename: 'QueueEntryRemoved', cursor: string, at: string, channel: string, conversation: string, reason: QueueExit }
    | { __typename: 'QueueSnapshot', cursor: string, at: string, resync: boolean, entries: Array<{ conversation: string, channel: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, queuedAt: string, nextDue: string | null }> }
    | { __typename: 'QueueSnapshotPage', cursor: string, at: string, entries: Array<{ conversation: string, channel: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, queuedAt: string, nextDue: string | null }> }
   };

export type InboxSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type InboxSubscription = { inbox:
    | { __typename: 'AgentStateChanged', cursor: string, at: string, agent: { availability: Availability, reason: string | null, since: string | null, capacity: number, load: number } }
    | { __typename: 'DraftChanged', cursor: string, at: string, conversation: string, draft: { text: string, isBackchannel: boolean, updatedAt: string } | null }
    | { __typename: 'InboxEntryAdded', cursor: string, at: string, entry: { conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null, nextDue: string | null } }
    | { __typename: 'InboxEntryChanged', cursor: string, at: string, entry: { conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null, nextDue: string | null } }
    | { __typename: 'InboxEntryRemoved', cursor: string, at: string, conversation: string }
    | { __typename: 'InboxSnapshot', cursor: string, at: string, resync: boolean, entries: Array<{ conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null, nextDue: string | null }> }
    | { __typename: 'InboxSnapshotPage', cursor: string, at: string, entries: Array<{ conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null, nextDue: string | null }> }
    | { __typename: 'OfferEnded', cursor: string, at: string, conversation: string, outcome: OfferOutcome, ended: string }
    | { __typename: 'OfferMade', cursor: string, at: string, offer: { id: string, until: string }, offered: { conversation: string, contactName: string | null, touchpoint: Touchpoint | null, preview: string | null, category: string | null } }
    | { __typename: 'RuleNotification', cursor: string, at: string, rule: string | null, notified: { conversation: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, preview: string | null } }
   };

export type MyConversationsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type MyConversationsSubscription = { myConversations:
    | { __typename: 'MyConversationAdded', cursor: string, at: string, entry: { conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null, nextDue: string | null } }
    | { __typename: 'MyConversationChanged', cursor: string, at: string, entry: { conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null, nextDue: string | null } }
    | { __typename: 'MyConversationRemoved', cursor: string, at: string, conversation: string }
    | { __typename: 'MyConversationsSnapshot', cursor: string, at: string, resync: boolean, entries: Array<{ conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null, nextDue: string | null }> }
    | { __typename: 'MyConversationsSnapshotPage', cursor: string, at: string, entries: Array<{ conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null, nextDue: string | null }> }
   };

export type ThreadSubscriptionVariables = Exact<{
  id: string;
  after?: string | null | undefined;
}>;


export type ThreadSubscription = { conversation:
    | { __typename: 'ClockChanged', cursor: string, at: string, clock: { id: string, clock: ClockKind, state: ClockState, dueAt: string | null, endedAt: string | null } }
    | { __typename: 'ConversationChanged', cursor: string, at: string, conversation: { id: string, slug: string, url: string, name: string, status: ConversationStatus, touchpoint: Touchpoint | null, category: string | null, categoryIndex: number | null, language: string | null, channels: Array<string>, channelsOffline: Array<string>, organizationId: string, contactId: string | null, meta: Record<string, unknown>, queuedAt: string | null, createdAt: string, contact: { id: string, profile: { name: string | null } } | null, touchpoints: { web: { selected: boolean } | null, messenger: { selected: boolean } | null, email: { selected: boolean } | null, sms: { selected: boolean } | null }, forms: Array<{ formId: string, name: string, values: Record<string, unknown>, completedAt: string | null }> } }
    | { __typename: 'ConversationRemoved', cursor: string, at: string }
    | { __typename: 'ConversationSnapshot', cursor: string, at: string, resync: boolean, startCursor: string | null, conversation: { id: string, slug: string, url: string, name: string, status: ConversationStatus, touchpoint: Touchpoint | null, category: string | null, categoryIndex: number | null, language: string | null, channels: Array<string>, channelsOffline: Array<string>, organizationId: string, contactId: string | null, meta: Record<string, unknown>, queuedAt: string | null, createdAt: string, clocks: Array<{ id: string, clock: ClockKind, state: ClockState, dueAt: string | null, endedAt: string | null }>, contact: { id: string, profile: { name: string | null } } | null, touchpoints: { web: { selected: boolean } | null, messenger: { selected: boolean } | null, email: { selected: boolean } | null, sms: { selected: boolean } | null }, forms: Array<{ formId: string, name: string, values: Record<string, unknown>, completedAt: string | null }> }, participants: Array<{ userId: string, name: string | null, avatar: string | null, role: UserRole, active: boolean, accepted: boolean, inbox: boolean, follow: boolean, unreadCount: number }>, messages: Array<{ id: string, position: number, type: MessageType, role: MessageRole, isBackchannel: boolean, userId: string | null, contentType: ContentType, text: string | null, touchpoint: Touchpoint | null, meta: Record<string, unknown> | null, likes: Array<string>, createdAt: string, updatedAt: string, editedAt: string | null, user: { id: string, displayName: string, avatar: string | null } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null }> | null, deliveries: Array<{ id: string, touchpoint: Touchpoint, status: DeliveryStatus, reason: string | null, recipient: string | null, attempts: number, segments: number | null, updatedAt: string }>, attachment: { id: string, url: string, fileName: string, fileType: string, size: number } | null, results: Array<
          | { name: string, values: Record<string, unknown> }
          | { name: string, values: Record<string, unknown> }
        > | null, comments: Array<{ user: string, text: string, message: string }> }> }
    | { __typename: 'MessageAdded', cursor: string, at: string, message: { id: string, position: number, type: MessageType, role: MessageRole, isBackchannel: boolean, userId: string | null, contentType: ContentType, text: string | null, touchpoint: Touchpoint | null, meta: Record<string, unknown> | null, likes: Array<string>, createdAt: string, updatedAt: string, editedAt: string | null, user: { id: string, displayName: string, avatar: string | null } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null }> | null, deliveries: Array<{ id: string, touchpoint: Touchpoint, status: DeliveryStatus, reason: string | null, recipient: string | null, attempts: number, segments: number | null, updatedAt: string }>, attachment: { id: string, url: string, fileName: string, fileType: string, size: number } | null, results: Array<
          | { name: string, values: Record<string, unknown> }
          | { name: string, values: Record<string, unknown> }
        > | null, comments: Array<{ user: string, text: string, message: string }> } }
    | { __typename: 'MessageChanged', cursor: string, at: string, message: { id: string, position: number, type: MessageType, role: MessageRole, isBackchannel: boolean, userId: string | null, contentType: ContentType, text: string | null, touchpoint: Touchpoint | null, meta: Record<string, unknown> | null, likes: Array<string>, createdAt: string, updatedAt: string, editedAt: string | null, user: { id: string, displayName: string, avatar: string | null } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null }> | null, deliveries: Array<{ id: string, touchpoint: Touchpoint, status: DeliveryStatus, reason: string | null, recipient: string | null, attempts: number, segments: number | null, updatedAt: string }>, attachment: { id: string, url: string, fileName: string, fileType: string, size: number } | null, results: Array<
          | { name: string, values: Record<string, unknown> }
          | { name: string, values: Record<string, unknown> }
        > | null, comments: Array<{ user: string, text: string, message: string }> } }
    | { __typename: 'MessageDeliveryChanged', cursor: string, at: string, deliveries: Array<{ id: string, messageId: string, touchpoint: Touchpoint, status: DeliveryStatus, reason: string | null, recipient: string | null, attempts: number, segments: number | null, updatedAt: string }> }
    | { __typename: 'MessageRemoved', cursor: string, at: string, messageId: string }
    | { __typename: 'ParticipantsChanged', cursor: string, at: string, participants: Array<{ userId: string, name: string | null, avatar: string | null, role: UserRole, active: boolean, accepted: boolean, inbox: boolean, follow: boolean, unreadCount: number }> }
    | { __typename: 'QueuePlaceChanged', cursor: string, at: string }
    | { __typename: 'TypingChanged', cursor: string, at: string, user: string | null, name: string | null, typing: boolean, isBackchannel: boolean }
    | { __typename: 'ViewersChanged', cursor: string, at: string, viewers: Array<{ userId: string, user: { displayName: string } | null }> }
   };

export type EarlierQueryVariables = Exact<{
  id: string;
  last: number;
  before?: string | null | undefined;
}>;


export type EarlierQuery = { conversation: { id: string, messages: { pageInfo: { startCursor: string | null }, edges: Array<{ node: { id: string, position: number, type: MessageType, role: MessageRole, isBackchannel: boolean, userId: string | null, contentType: ContentType, text: string | null, touchpoint: Touchpoint | null, meta: Record<string, unknown> | null, likes: Array<string>, createdAt: string, updatedAt: string, editedAt: string | null, user: { id: string, displayName: string, avatar: string | null } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null }> | null, deliveries: Array<{ id: string, touchpoint: Touchpoint, status: DeliveryStatus, reason: string | null, recipient: string | null, attempts: number, segments: number | null, updatedAt: string }>, attachment: { id: string, url: string, fileName: string, fileType: string, size: number } | null, results: Array<
            | { name: string, values: Record<string, unknown> }
            | { name: string, values: Record<string, unknown> }
          > | null, comments: Array<{ user: string, text: string, message: string }> } }> } } | null };

export const QueueDocument = "subscription Queue($channels:[ID!]$after:String){queue(channels:$channels after:$after pageSize:200){__typename ...on StreamEvent{cursor at}...on QueueSnapshot{resync entries{...QueueRow}}...on QueueSnapshotPage{entries{...QueueRow}}...on QueueEntryAdded{entry{...QueueRow}}...on QueueEntryChanged{entry{...QueueRow}}...on QueueEntryRemoved{channel conversation reason}}}fragment QueueRow on QueueEntry{conversation channel organization name contactName touchpoint category language preview queuedAt nextDue}" as TypedDocument<QueueSubscription, QueueSubscriptionVariables>

export const InboxDocument = "subscription Inbox($after:String){inbox(after:$after pageSize:200){__typename ...on StreamEvent{cursor at}...on InboxSnapshot{resync entries{...InboxRow}}...on InboxSnapshotPage{entries{...InboxRow}}...on InboxEntryAdded{entry{...InboxRow}}...on InboxEntryChanged{entry{...InboxRow}}...on InboxEntryRemoved{conversation}...on DraftChanged{conversation draft{text isBackchannel updatedAt}}...on OfferMade{offer{id until}offered:entry{conversation contactName touchpoint preview category}}...on OfferEnded{ended:offer conversation outcome}...on AgentStateChanged{agent{availability reason since capacity load}}...on RuleNotification{rule notified:entry{conversation name contactName touchpoint preview}}}}fragment InboxRow on InboxEntry{conversation organization name contactName touchpoint category language preview status unreadCount active accepted follow lastMessageAt nextDue}" as TypedDocument<InboxSubscription, InboxSubscriptionVariables>

export const MyConversationsDocument = "subscription MyConversations($after:String){myConversations(after:$after pageSize:200){__typename ...on StreamEvent{cursor at}...on MyConversationsSnapshot{resync entries{...InboxRow}}...on MyConversationsSnapshotPage{entries{...InboxRow}}...on MyConversationAdded{entry{...InboxRow}}...on MyConversationChanged{entry{...InboxRow}}...on MyConversationRemoved{conversation}}}fragment InboxRow on InboxEntry{conversation organization name contactName touchpoint category language preview status unreadCount active accepted follow lastMessageAt nextDue}" as TypedDocument<MyConversationsSubscription, MyConversationsSubscriptionVariables>

export const ThreadDocument = "subscription Thread($id:ID!$after:String){conversation(id:$id after:$after viewers:true){__typename ...on StreamEvent{cursor at}...on ConversationSnapshot{resync startCursor conversation{...ThreadConversation clocks{...ThreadClock}}participants{...ThreadParticipant}messages{...ThreadMessage}}...on MessageAdded{message{...ThreadMessage}}...on MessageChanged{message{...ThreadMessage}}...on MessageRemoved{messageId}...on MessageDeliveryChanged{deliveries{id messageId touchpoint status reason recipient attempts segments updatedAt}}...on ConversationChanged{conversation{...ThreadConversation}}...on ParticipantsChanged{participants{...ThreadParticipant}}...on ClockChanged{clock{...ThreadClock}}...on TypingChanged{user name typing isBackchannel}...on ViewersChanged{viewers{userId user{displayName}}}}}fragment ThreadConversation on Conversation{id slug url name status touchpoint category categoryIndex language channels channelsOffline organizationId contactId contact{id profile{name}}meta queuedAt createdAt touchpoints{web{selected}messenger{selected}email{selected}sms{selected}}forms{formId name values completedAt}}fragment ThreadClock on SlaClock{id clock state dueAt endedAt}fragment ThreadParticipant on Participant{userId name avatar role active accepted inbox follow unreadCount}fragment ThreadMessage on Message{id position type role isBackchannel userId user{id displayName avatar}contentType text touchpoint meta actions{...ThreadButton}items{title description mediaUrl mediaType actions{...ThreadButton}}deliveries{id touchpoint status reason recipient attempts segments updatedAt}attachment{id url fileName fileType size}results{name values}likes comments{user text message}createdAt updatedAt editedAt}fragment ThreadButton on Action{type text uri payload iconUrl mediaType fallback size}" as TypedDocument<ThreadSubscription, ThreadSubscriptionVariables>

export const EarlierDocument = "query Earlier($id:ID!$last:Int!$before:String){conversation(id:$id){id messages(last:$last before:$before){pageInfo{startCursor}edges{node{...ThreadMessage}}}}}fragment ThreadMessage on Message{id position type role isBackchannel userId user{id displayName avatar}contentType text touchpoint meta actions{...ThreadButton}items{title description mediaUrl mediaType actions{...ThreadButton}}deliveries{id touchpoint status reason recipient attempts segments updatedAt}attachment{id url fileName fileType size}results{name values}likes comments{user text message}createdAt updatedAt editedAt}fragment ThreadButton on Action{type text uri payload iconUrl mediaType fallback size}" as TypedDocument<EarlierQuery, EarlierQueryVariables>
