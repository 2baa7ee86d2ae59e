// Made by web/generate.mjs of schema.graphql and the documents: do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocument } from '../typed-document.js'
export type ActionType =
  | 'LINK'
  | 'LOCATION_REQUEST'
  | 'POSTBACK'
  | 'REPLY'
  | 'WEBVIEW';

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

export type ConversationType =
  | 'AGENT'
  | 'BOT'
  | 'CONTACT'
  | 'SYSTEM';

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

export type QueueEntryFieldsFragment = { __typename: 'QueueEntry', id: string, conversation: string, channel: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, queuedAt: string };

export type InboxEntryFieldsFragment = { __typename: 'InboxEntry', id: string, conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null };

export type ConversationFieldsFragment = { __typename: 'Conversation', id: string, slug: string, url: string, name: string, status: ConversationStatus, type: ConversationType, touchpoint: Touchpoint | null, category: string | null, language: string | null, channels: Array<string>, channelsOffline: Array<string>, organizationId: string, contactId: string | null, meta: Record<string, unknown>, queuedAt: string | null, createdAt: string, mark: string | null };

export type ParticipantFieldsFragment = { __typename: 'Participant', id: string, userId: string, name: string | null, avatar: string | null, role: UserRole, active: boolean, accepted: boolean, inbox: boolean, follow: boolean, unreadCount: number };

export type ActionFieldsFragment = { __typename: 'Action', type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null };

export type DeliveryFieldsFragment = { __typename: 'Delivery', id: string, messageId: string, touchpoint: Touchpoint, status: DeliveryStatus, reason: string | null, updatedAt: string };

export type MessageFieldsFragment = { __typename: 'Message', id: string, conversationId: string, position: number, type: MessageType, role: MessageRole, isBackchannel: boolean, userId: string | null, contentType: ContentType, text: string | null, touchpoint: Touchpoint | null, meta: Record<string, unknown> | null, likes: Array<string>, createdAt: string, updatedAt: string, user: { __typename: 'User', id: string, displayName: string, avatar: string | null } | null, actions: Array<{ __typename: 'Action', type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null, items: Array<{ __typename: 'Item', title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ __typename: 'Action', type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null }> | null, deliveries: Array<{ __typename: 'Delivery', id: string, messageId: string, touchpoint: Touchpoint, status: DeliveryStatus, reason: string | null, updatedAt: string }> };

export type QueueSubscriptionVariables = Exact<{
  channels?: Array<string> | null | undefined;
  after?: string | null | undefined;
}>;


export type QueueSubscription = { queue:
    | { __typename: 'QueueEntryAdded', cursor: string, at: string, isStored: boolean, entry: { __typename: 'QueueEntry', id: string, conversation: string, channel: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, queuedAt: string } }
    | { __typename: 'QueueEntryChanged', cursor: string, at: string, isStored: boolean, entry: { __typename: 'QueueEntry', id: string, conversation: string, channel: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, queuedAt: string } }
    | { __typename: 'QueueEntryRemoved', cursor: string, at: string, isStored: boolean, channel: string, conversation: string, reason: QueueExit }
    | { __typename: 'QueueSnapshot', cursor: string, at: string, isStored: boolean, resync: boolean, isComplete: boolean, entries: Array<{ __typename: 'QueueEntry', id: string, conversation: string, channel: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, queuedAt: string }> }
    | { __typename: 'QueueSnapshotPage', cursor: string, at: string, isStored: boolean, isLast: boolean, entries: Array<{ __typename: 'QueueEntry', id: string, conversation: string, channel: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, queuedAt: string }> }
   };

export type InboxSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type InboxSubscription = { inbox:
    | { __typename: 'AgentStateChanged', cursor: string, at: string, isStored: boolean }
    | { __typename: 'DraftChanged', cursor: string, at: string, isStored: boolean }
    | { __typename: 'InboxEntryAdded', cursor: string, at: string, isStored: boolean, entry: { __typename: 'InboxEntry', id: string, conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null } }
    | { __typename: 'InboxEntryChanged', cursor: string, at: string, isStored: boolean, entry: { __typename: 'InboxEntry', id: string, conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null } }
    | { __typename: 'InboxEntryRemoved', cursor: string, at: string, isStored: boolean, conversation: string }
    | { __typename: 'InboxSnapshot', cursor: string, at: string, isStored: boolean, resync: boolean, isComplete: boolean, entries: Array<{ __typename: 'InboxEntry', id: string, conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null }> }
    | { __typename: 'InboxSnapshotPage', cursor: string, at: string, isStored: boolean, isLast: boolean, entries: Array<{ __typename: 'InboxEntry', id: string, conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null }> }
    | { __typename: 'OfferEnded', cursor: string, at: string, isStored: boolean }
    | { __typename: 'OfferMade', cursor: string, at: string, isStored: boolean }
    | { __typename: 'RuleNotification', cursor: string, at: string, isStored: boolean, rule: string | null, notified: { __typename: 'NotifiedConversation', conversation: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, preview: string | null } }
   };

export type MyConversationsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type MyConversationsSubscription = { myConversations:
    | { __typename: 'MyConversationAdded', cursor: string, at: string, isStored: boolean, entry: { __typename: 'InboxEntry', id: string, conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null } }
    | { __typename: 'MyConversationChanged', cursor: string, at: string, isStored: boolean, entry: { __typename: 'InboxEntry', id: string, conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null } }
    | { __typename: 'MyConversationRemoved', cursor: string, at: string, isStored: boolean, conversation: string }
    | { __typename: 'MyConversationsSnapshot', cursor: string, at: string, isStored: boolean, resync: boolean, isComplete: boolean, entries: Array<{ __typename: 'InboxEntry', id: string, conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null }> }
    | { __typename: 'MyConversationsSnapshotPage', cursor: string, at: string, isStored: boolean, isLast: boolean, entries: Array<{ __typename: 'InboxEntry', id: string, conversation: string, organization: string, name: string, contactName: string | null, touchpoint: Touchpoint | null, category: string | null, language: string | null, preview: string | null, status: ConversationStatus, unreadCount: number, active: boolean, accepted: boolean, follow: boolean, lastMessageAt: string | null }> }
   };

export type ConversationEventsSubscriptionVariables = Exact<{
  id: string;
  after?: string | null | undefined;
}>;


export type ConversationEventsSubscription = { conversation:
    | { __typename: 'ClockChanged', cursor: string, at: string, isStored: boolean }
    | { __typename: 'ConversationChanged', cursor: string, at: string, isStored: boolean, conversation: { __typename: 'Conversation', id: string, slug: string, url: string, name: string, status: ConversationStatus, type: ConversationType, touchpoint: Touchpoint | null, category: string | null, language: string | null, channels: Array<string>, channelsOffline: Array<string>, organizationId: string, contactId: string | null, meta: Record<string, unknown>, queuedAt: string | null, createdAt: string, mark: string | null } }
    | { __typename: 'ConversationRemoved', cursor: string, at: string, isStored: boolean }
    | { __typename: 'ConversationSnapshot', cursor: string, at: string, isStored: boolean, resync: boolean, startCursor: string | null, conversation: { __typename: 'Conversation', id: string, slug: string, url: string, name: string, status: ConversationStatus, type: ConversationType, touchpoint: Touchpoint | null, category: string | null, language: string | null, channels: Array<string>, channelsOffline: Array<string>, organizationId: string, contactId: string | null, meta: Record<string, unknown>, queuedAt: string | null, createdAt: string, mark: string | null }, participants: Array<{ __typename: 'Participant', id: string, userId: string, name: string | null, avatar: string | null, role: UserRole, active: boolean, accepted: boolean, inbox: boolean, follow: boolean, unreadCount: number }>, messages: Array<{ __typename: 'Message', id: string, conversationId: string, position: number, type: MessageType, role: MessageRole, isBackchannel: boolean, userId: string | null, contentType: ContentType, text: string | null, touchpoint: Touchpoint | null, meta: Record<string, unknown> | null, likes: Array<string>, createdAt: string, updatedAt: string, user: { __typename: 'User', id: string, displayName: string, avatar: string | null } | null, actions: Array<{ __typename: 'Action', type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null, items: Array<{ __typename: 'Item', title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ __typename: 'Action', type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null }> | null, deliveries: Array<{ __typename: 'Delivery', id: string, messageId: string, touchpoint: Touchpoint, status: DeliveryStatus, reason: string | null, updatedAt: string }> }> }
    | { __typename: 'MessageAdded', cursor: string, at: string, isStored: boolean, mark: string | null, message: { __typename: 'Message', id: string, conversationId: string, position: number, type: MessageType, role: MessageRole, isBackchannel: boolean, userId: string | null, contentType: ContentType, text: string | null, touchpoint: Touchpoint | null, meta: Record<string, unknown> | null, likes: Array<string>, createdAt: string, updatedAt: string, user: { __typename: 'User', id: string, displayName: string, avatar: string | null } | null, actions: Array<{ __typename: 'Action', type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null, items: Array<{ __typename: 'Item', title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ __typename: 'Action', type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null }> | null, deliveries: Array<{ __typename: 'Delivery', id: string, messageId: string, touchpoint: Touchpoint, status: DeliveryStatus, reason: string | null, updatedAt: string }> } }
    | { __typename: 'MessageChanged', cursor: string, at: string, isStored: boolean, message: { __typename: 'Message', id: string, conversationId: string, position: number, type: MessageType, role: MessageRole, isBackchannel: boolean, userId: string | null, contentType: ContentType, text: string | null, touchpoint: Touchpoint | null, meta: Record<string, unknown> | null, likes: Array<string>, createdAt: string, updatedAt: string, user: { __typename: 'User', id: string, displayName: string, avatar: string | null } | null, actions: Array<{ __typename: 'Action', type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null, items: Array<{ __typename: 'Item', title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ __typename: 'Action', type: ActionType, text: string, uri: string | null, payload: string | null, iconUrl: string | null, mediaType: string | null, fallback: string | null, size: string | null }> | null }> | null, deliveries: Array<{ __typename: 'Delivery', id: string, messageId: string, touchpoint: Touchpoint, status: DeliveryStatus, reason: string | null, updatedAt: string }> } }
    | { __typename: 'MessageDeliveryChanged', cursor: string, at: string, isStored: boolean, deliveries: Array<{ __typename: 'Delivery', id: string, messageId: string, touchpoint: Touchpoint, status: DeliveryStatus, reason: string | null, updatedAt: string }> }
    | { __typename: 'MessageRemoved', cursor: string, at: string, isStored: boolean, messageId: string }
    | { __typename: 'ParticipantsChanged', cursor: string, at: string, isStored: boolean, participants: Array<{ __typename: 'Participant', id: string, userId: string, name: string | null, avatar: string | null, role: UserRole, active: boolean, accepted: boolean, inbox: boolean, follow: boolean, unreadCount: number }> }
    | { __typename: 'QueuePlaceChanged', cursor: string, at: string, isStored: boolean }
    | { __typename: 'TypingChanged', cursor: string, at: string, isStored: boolean, user: string | null, name: string | null, typing: boolean, isBackchannel: boolean }
    | { __typename: 'ViewersChanged', cursor: string, at: string, isStored: boolean, viewers: Array<{ __typename: 'ConversationViewer', userId: string, user: { __typename: 'User', id: string, displayName: string } | null }> }
   };

export const QueueDocument = "subscription Queue($channels:[ID!]$after:String){queue(channels:$channels after:$after pageSize:200){__typename ...on StreamEvent{cursor at isStored}...on QueueSnapshot{resync isComplete entries{...QueueEntryFields}}...on QueueSnapshotPage{isLast entries{...QueueEntryFields}}...on QueueEntryAdded{entry{...QueueEntryFields}}...on QueueEntryChanged{entry{...QueueEntryFields}}...on QueueEntryRemoved{channel conversation reason}}}fragment QueueEntryFields on QueueEntry{__typename id conversation channel organization name contactName touchpoint category language preview queuedAt}" as TypedDocument<QueueSubscription, QueueSubscriptionVariables>

export const InboxDocument = "subscription Inbox($after:String){inbox(after:$after pageSize:200){__typename ...on StreamEvent{cursor at isStored}...on InboxSnapshot{resync isComplete entries{...InboxEntryFields}}...on InboxSnapshotPage{isLast entries{...InboxEntryFields}}...on InboxEntryAdded{entry{...InboxEntryFields}}...on InboxEntryChanged{entry{...InboxEntryFields}}...on InboxEntryRemoved{conversation}...on RuleNotification{rule notified:entry{__typename conversation name contactName touchpoint preview}}}}fragment InboxEntryFields on InboxEntry{__typename id conversation organization name contactName touchpoint category language preview status unreadCount active accepted follow lastMessageAt}" as TypedDocument<InboxSubscription, InboxSubscriptionVariables>

export const MyConversationsDocument = "subscription MyConversations($after:String){myConversations(after:$after pageSize:200){__typename ...on StreamEvent{cursor at isStored}...on MyConversationsSnapshot{resync isComplete entries{...InboxEntryFields}}...on MyConversationsSnapshotPage{isLast entries{...InboxEntryFields}}...on MyConversationAdded{entry{...InboxEntryFields}}...on MyConversationChanged{entry{...InboxEntryFields}}...on MyConversationRemoved{conversation}}}fragment InboxEntryFields on InboxEntry{__typename id conversation organization name contactName touchpoint category language preview status unreadCount active accepted follow lastMessageAt}" as TypedDocument<MyConversationsSubscription, MyConversationsSubscriptionVariables>

export const ConversationEventsDocument = "subscription ConversationEvents($id:ID!$after:String){conversation(id:$id after:$after){__typename ...on StreamEvent{cursor at isStored}...on ConversationSnapshot{resync startCursor conversation{...ConversationFields}participants{...ParticipantFields}messages{...MessageFields}}...on MessageAdded{mark message{...MessageFields}}...on MessageChanged{message{...MessageFields}}...on MessageRemoved{messageId}...on MessageDeliveryChanged{deliveries{...DeliveryFields}}...on ConversationChanged{conversation{...ConversationFields}}...on ParticipantsChanged{participants{...ParticipantFields}}...on TypingChanged{user name typing isBackchannel}...on ViewersChanged{viewers{__typename userId user{__typename id displayName}}}}}fragment ConversationFields on Conversation{__typename id slug url name status type touchpoint category language channels channelsOffline organizationId contactId meta queuedAt createdAt mark}fragment ParticipantFields on Participant{__typename id userId name avatar role active accepted inbox follow unreadCount}fragment MessageFields on Message{__typename id conversationId position type role isBackchannel userId contentType text touchpoint meta likes user{__typename id displayName avatar}actions{...ActionFields}items{__typename title description mediaUrl mediaType actions{...ActionFields}}deliveries{...DeliveryFields}createdAt updatedAt}fragment ActionFields on Action{__typename type text uri payload iconUrl mediaType fallback size}fragment DeliveryFields on Delivery{__typename id messageId touchpoint status reason updatedAt}" as TypedDocument<ConversationEventsSubscription, ConversationEventsSubscriptionVariables>
