/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** A button; the allowed fields depend on its type (2.10). */
export type ActionInput = {
  /** Address for clients without webviews. */
  fallback?: string | null | undefined;
  /** Address of an icon. */
  iconUrl?: string | null | undefined;
  /** Media type, such as `image/png`. */
  mediaType?: string | null | undefined;
  /** Metadata with arbitrary keys, passed on to backend automations; keys beginning with `_` are the system's (2.12). */
  meta?: Record<string, unknown> | null | undefined;
  /** Payload that a click sends. */
  payload?: string | null | undefined;
  /** A hint for the layout, such as `compact` or `full`. */
  size?: string | null | undefined;
  /** Label of the button; defaults to the payload for a reply. */
  text?: string | null | undefined;
  /** Type. */
  type: ActionType;
  /** Address; may contain `{authuser}` and `{authtoken}` (4.7). */
  uri?: string | null | undefined;
};

/** Type of a button (2.10). */
export type ActionType =
  /** Opens `uri`. */
  | 'LINK'
  /** Asks for a location. */
  | 'LOCATION_REQUEST'
  /** Sends `payload` without showing it; can be used again. */
  | 'POSTBACK'
  /** Answers with `payload`, shown as a bubble. */
  | 'REPLY'
  /** Opens `uri` in a view of the client, or `fallback`. */
  | 'WEBVIEW';

/** Status of a contact: whether it may write (3.1, `/block`). */
export type ContactStatus =
  /** The contact may write. */
  | 'ACTIVE'
  /** Messages of the contact are refused. */
  | 'BLOCKED';

/** Format of `text` (2.9). */
export type ContentType =
  /** The address of an image. */
  | 'IMAGE_GIF'
  /** The address of an image. */
  | 'IMAGE_JPEG'
  /** The address of an image. */
  | 'IMAGE_JPG'
  /** The address of an image. */
  | 'IMAGE_PNG'
  /** Sanitised HTML (2.10). */
  | 'TEXT_HTML'
  /** Plain text; the default. */
  | 'TEXT_PLAIN'
  /** The address of a page, shown in a sandboxed frame. */
  | 'TEXT_URL';

/** Status of a conversation (3.1). */
export type ConversationStatus =
  /** An agent has accepted; no channel is notified. */
  | 'ACTIVE'
  /** Merged into another conversation. */
  | 'ARCHIVED'
  /** Neither waiting for an agent nor active. */
  | 'CLOSED'
  /** Waiting for an agent; channels are notified. */
  | 'QUEUED';

/** Type of a form field. */
export type FormFieldType =
  /** True or false. */
  | 'BOOLEAN'
  /** A calendar day, `2026-12-31`. */
  | 'DATE'
  /** An email address; stored in lower case. */
  | 'EMAIL'
  /** A choice of several options. */
  | 'MULTISELECT'
  /** A number. */
  | 'NUMBER'
  /** A choice of one option. */
  | 'SELECT'
  /** A telephone number; stored in E.164, national ones interpreted in the organization's country. */
  | 'TELEPHONE'
  /** A single line of text. */
  | 'TEXT'
  /** Several lines. */
  | 'TEXTAREA'
  /** An http or https address. */
  | 'URL';

/** A list element; needs a title, a description, a mediaUrl or actions (2.10). */
export type ItemInput = {
  /** Buttons (2.10). */
  actions?: Array<ActionInput> | null | undefined;
  /** Text below the title. */
  description?: string | null | undefined;
  /** Address of an icon. */
  iconUrl?: string | null | undefined;
  /** Media type, such as `image/png`. */
  mediaType?: string | null | undefined;
  /** Address of an image or another medium. */
  mediaUrl?: string | null | undefined;
  /** A hint for the layout, such as `compact` or `full`. */
  size?: string | null | undefined;
  /** Heading. */
  title?: string | null | undefined;
};

/** A message to send (2.9). A command is a message too (4.8). */
export type MessageInput = {
  /** Buttons (2.10). */
  actions?: Array<ActionInput> | null | undefined;
  /** Defaults to `TEXT_PLAIN`. */
  contentType?: ContentType | null | undefined;
  /** Delay in milliseconds before the message is processed (4.7, rule 5). */
  delay?: number | null | undefined;
  /** A UUIDv7 chosen by the client. Repeats with the same id return the first message, however late: an idempotency key without a time limit, by which a client also recognizes the event of its own message. */
  id?: string | number | null | undefined;
  /** Defaults to false. */
  isBackchannel?: boolean | null | undefined;
  /** List elements of chat and card messages. */
  items?: Array<ItemInput> | null | undefined;
  /** Metadata with arbitrary keys, passed on to backend automations; keys beginning with `_` are the system's (2.12). */
  meta?: Record<string, unknown> | null | undefined;
  /** `{name, values}` of a tag, search or report. */
  results?: Array<Record<string, unknown>> | null | undefined;
  /** Defaults to `BOT`; `CONTACT` for a guest. */
  role?: MessageRole | null | undefined;
  /** The service to send by. */
  service?: string | number | null | undefined;
  /** Text. */
  text?: string | null | undefined;
  /** Touchpoint to the consumer. */
  touchpoint?: Touchpoint | null | undefined;
  /** Defaults to `CHAT`; a text that is a command (4.8) is refused without a type. */
  type?: MessageType | null | undefined;
  /** The user on whose behalf to send; defaults to the caller. */
  user?: string | number | null | undefined;
};

/** Role of a message, by its side of the conversation (2.9). */
export type MessageRole =
  /** To the consumer. */
  | 'AGENT'
  /** Bot to agent: not sent to the consumer; the default. */
  | 'BOT'
  /** From the consumer. */
  | 'CONTACT'
  /** Sent by the service. */
  | 'SYSTEM';

/** Type of a message (2.9). */
export type MessageType =
  /** A panel with a title, items and actions. */
  | 'CARD'
  /** Plain text; the default. */
  | 'CHAT'
  /** Text beginning with `/` changes the conversation (4.8); with `>` it is for a bot. */
  | 'COMMAND'
  /** Fills a form field. */
  | 'FIELD'
  /** Adds or removes a form. */
  | 'FORM'
  /** Mentions a user or an organization. */
  | 'MENTION'
  /** A clicked button (2.10). */
  | 'POSTBACK'
  /** A bot's findings in `results`, for the team. */
  | 'REPORT'
  /** Completed forms that were submitted. */
  | 'RESULTS'
  /** A bot's search, for the team. */
  | 'SEARCH'
  /** A bot's tag of the conversation, for the team. */
  | 'TAG';

/** Outcome of a rule (3.4). */
export type RuleOutcome =
  /** Its conditions hold; it waits for its delay because a channel was notified before. */
  | 'DEFERRED'
  /** Its conditions hold, and it notified its channels and users. */
  | 'FIRED'
  /** Its conditions do not hold. */
  | 'NOT_MATCHED'
  /** A rule with `isLastRule` ended the processing before it. */
  | 'SKIPPED';

/** Fields that `/set` may change (4.8); only the given keys change. */
export type SetConversationInput = {
  /** Category, by name or by index in the organization's categories. */
  category?: string | null | undefined;
  /** Two lower-case letters. */
  language?: string | null | undefined;
  /** Merged into the conversation's metadata. */
  meta?: Record<string, unknown> | null | undefined;
  /** Name, for display. */
  name?: string | null | undefined;
  /** Touchpoint to the consumer. */
  touchpoint?: Touchpoint | null | undefined;
};

/** A channel of communication with the consumer (section 1). */
export type Touchpoint =
  /** E-mail. */
  | 'EMAIL'
  /** The social messenger. */
  | 'MESSENGER'
  /** Text messages. */
  | 'SMS'
  /** The web messenger. */
  | 'WEB';

export type ConversationBySlugQueryVariables = Exact<{
  slug: string;
}>;


export type ConversationBySlugQuery = { conversations: { edges: Array<{ node: { id: string, status: ConversationStatus } }> } };

export type AcceptMutationVariables = Exact<{
  conversation: string | number;
  ifQueued?: boolean | null | undefined;
  trigger?: string | null | undefined;
}>;


export type AcceptMutation = { acceptConversation: { id: string, status: ConversationStatus } };

export type JoinMutationVariables = Exact<{
  conversation: string | number;
}>;


export type JoinMutation = { joinConversation: { id: string, status: ConversationStatus } };

export type LeaveMutationVariables = Exact<{
  conversation: string | number;
}>;


export type LeaveMutation = { leaveConversation: { id: string, status: ConversationStatus } };

export type SendMutationVariables = Exact<{
  conversation: string | number;
  message: MessageInput;
}>;


export type SendMutation = { sendMessage: { id: string, position: number } };

export type MarkReadMutationVariables = Exact<{
  conversation: string | number;
  message: string | number;
}>;


export type MarkReadMutation = { markRead: { id: string } };

export type SetTypingMutationVariables = Exact<{
  conversation: string | number;
  typing: boolean;
  isBackchannel?: boolean | null | undefined;
}>;


export type SetTypingMutation = { setTyping: boolean };

export type ViewersQueryVariables = Exact<{
  conversation: string | number;
}>;


export type ViewersQuery = { conversation: { id: string, viewers: Array<{ userId: string, user: { displayName: string } | null }> } | null };

export type SendAllMutationVariables = Exact<{
  conversation: string | number;
  messages: Array<MessageInput> | MessageInput;
}>;


export type SendAllMutation = { sendMessages: Array<{ id: string }> };

export type DraftsQueryVariables = Exact<{ [key: string]: never; }>;


export type DraftsQuery = { drafts: Array<{ conversation: string, text: string, isBackchannel: boolean, updatedAt: string }> };

export type SaveDraftMutationVariables = Exact<{
  conversation: string | number;
  text: string;
  isBackchannel?: boolean | null | undefined;
}>;


export type SaveDraftMutation = { saveDraft: { updatedAt: string } | null };

export type CannedResponsesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type CannedResponsesQuery = { cannedResponses: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, shortcut: string, text: string, organizationId: string } }> } };

export type CategoryFormsQueryVariables = Exact<{ [key: string]: never; }>;


export type CategoryFormsQuery = { me: { organization: { id: string, categories: Array<{ name: string, forms: Array<{ id: string, name: string, fields: Array<{ id: string, key: string, label: string, type: FormFieldType, required: boolean, options: Array<string>, placeholder: string | null }> }> }> | null } | null } };

export type ContactPanelQueryVariables = Exact<{
  conversation: string | number;
}>;


export type ContactPanelQuery = { conversation: { id: string, contact: { id: string, status: ContactStatus, meta: Record<string, unknown> | null, profile: { name: string | null, givenName: string | null, additionalName: string | null, familyName: string | null, honorificPrefix: string | null, honorificSuffix: string | null, gender: string | null, email: string | null, telephone: string | null, worksFor: string | null, address: { streetAddress: string | null, streetNumber: string | null, postalCode: string | null, addressLocality: string | null, addressRegion: string | null, addressCountry: string | null } | null }, presences: Array<{ touchpoint: Touchpoint, online: boolean, lastSeenAt: string }> } | null } | null };

export type ContactConversationsQueryVariables = Exact<{
  contact: string | number;
}>;


export type ContactConversationsQuery = { conversations: { edges: Array<{ node: { id: string, name: string, status: ConversationStatus, touchpoint: Touchpoint | null, category: string | null, createdAt: string, lastMessageAt: string | null, preview: string | null } }> } };

export type HandOverMutationVariables = Exact<{
  conversation: string | number;
  user?: string | number | null | undefined;
  channel?: string | number | null | undefined;
  note?: string | null | undefined;
}>;


export type HandOverMutation = { handOverConversation: { id: string, status: ConversationStatus } };

export type FollowMutationVariables = Exact<{
  conversation: string | number;
}>;


export type FollowMutation = { followConversation: { id: string } };

export type UnfollowMutationVariables = Exact<{
  conversation: string | number;
}>;


export type UnfollowMutation = { unfollowConversation: { id: string } };

export type BlockMutationVariables = Exact<{
  conversation: string | number;
}>;


export type BlockMutation = { blockContact: { id: string } };

export type SetConversationMutationVariables = Exact<{
  conversation: string | number;
  patch: SetConversationInput;
}>;


export type SetConversationMutation = { setConversation: { id: string, category: string | null } };

export type ImportConversationMutationVariables = Exact<{
  conversation: string | number;
  origin: string | number;
}>;


export type ImportConversationMutation = { importConversation: { id: string } };

export type WhyQueryVariables = Exact<{
  conversation: string | number;
}>;


export type WhyQuery = { conversation: { id: string, routingTrace: Array<{ id: string, queueing: number, trigger: string, createdAt: string, entries: Array<{ outcome: RuleOutcome, reason: string, delaySeconds: number | null, channelsNotified: Array<string>, channelsOffline: Array<string>, users: Array<string>, conditions: Record<string, unknown> | null, rule: { name: string | null } | null, workflow: { name: string } | null }> }> } | null };

export type SmsSizeQueryVariables = Exact<{
  text: string;
}>;


export type SmsSizeQuery = { smsSize: { segments: number, units: number, encoding: string } };


export const ConversationBySlugDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConversationBySlug"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"slug"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"slug"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"slug"}}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ConversationBySlugQuery, ConversationBySlugQueryVariables>;
export const AcceptDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Accept"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ifQueued"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"trigger"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"acceptConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"ifQueued"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ifQueued"}}},{"kind":"Argument","name":{"kind":"Name","value":"trigger"},"value":{"kind":"Variable","name":{"kind":"Name","value":"trigger"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<AcceptMutation, AcceptMutationVariables>;
export const JoinDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Join"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"joinConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<JoinMutation, JoinMutationVariables>;
export const LeaveDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Leave"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"leaveConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<LeaveMutation, LeaveMutationVariables>;
export const SendDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Send"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"message"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"message"},"value":{"kind":"Variable","name":{"kind":"Name","value":"message"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"position"}}]}}]}}]} as unknown as DocumentNode<SendMutation, SendMutationVariables>;
export const MarkReadDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"MarkRead"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"message"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"markRead"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"message"},"value":{"kind":"Variable","name":{"kind":"Name","value":"message"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<MarkReadMutation, MarkReadMutationVariables>;
export const SetTypingDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetTyping"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"typing"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"isBackchannel"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setTyping"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"typing"},"value":{"kind":"Variable","name":{"kind":"Name","value":"typing"}}},{"kind":"Argument","name":{"kind":"Name","value":"isBackchannel"},"value":{"kind":"Variable","name":{"kind":"Name","value":"isBackchannel"}}}]}]}}]} as unknown as DocumentNode<SetTypingMutation, SetTypingMutationVariables>;
export const ViewersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Viewers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"viewers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ViewersQuery, ViewersQueryVariables>;
export const SendAllDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendAll"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"messages"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageInput"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"messages"},"value":{"kind":"Variable","name":{"kind":"Name","value":"messages"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<SendAllMutation, SendAllMutationVariables>;
export const DraftsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Drafts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"drafts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"isBackchannel"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]} as unknown as DocumentNode<DraftsQuery, DraftsQueryVariables>;
export const SaveDraftDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SaveDraft"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"text"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"isBackchannel"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"saveDraft"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"text"},"value":{"kind":"Variable","name":{"kind":"Name","value":"text"}}},{"kind":"Argument","name":{"kind":"Name","value":"isBackchannel"},"value":{"kind":"Variable","name":{"kind":"Name","value":"isBackchannel"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]} as unknown as DocumentNode<SaveDraftMutation, SaveDraftMutationVariables>;
export const CannedResponsesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CannedResponses"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cannedResponses"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"shortcut"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"organizationId"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CannedResponsesQuery, CannedResponsesQueryVariables>;
export const CategoryFormsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CategoryForms"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"organization"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"categories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"forms"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"fields"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"required"}},{"kind":"Field","name":{"kind":"Name","value":"options"}},{"kind":"Field","name":{"kind":"Name","value":"placeholder"}}]}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<CategoryFormsQuery, CategoryFormsQueryVariables>;
export const ContactPanelDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ContactPanel"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"meta"}},{"kind":"Field","name":{"kind":"Name","value":"profile"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"givenName"}},{"kind":"Field","name":{"kind":"Name","value":"additionalName"}},{"kind":"Field","name":{"kind":"Name","value":"familyName"}},{"kind":"Field","name":{"kind":"Name","value":"honorificPrefix"}},{"kind":"Field","name":{"kind":"Name","value":"honorificSuffix"}},{"kind":"Field","name":{"kind":"Name","value":"gender"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"telephone"}},{"kind":"Field","name":{"kind":"Name","value":"worksFor"}},{"kind":"Field","name":{"kind":"Name","value":"address"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"streetAddress"}},{"kind":"Field","name":{"kind":"Name","value":"streetNumber"}},{"kind":"Field","name":{"kind":"Name","value":"postalCode"}},{"kind":"Field","name":{"kind":"Name","value":"addressLocality"}},{"kind":"Field","name":{"kind":"Name","value":"addressRegion"}},{"kind":"Field","name":{"kind":"Name","value":"addressCountry"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"presences"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"touchpoint"}},{"kind":"Field","name":{"kind":"Name","value":"online"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeenAt"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ContactPanelQuery, ContactPanelQueryVariables>;
export const ContactConversationsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ContactConversations"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"contact"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"contact"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"contact"}}}]}}]}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"CREATED_AT"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"touchpoint"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastMessageAt"}},{"kind":"Field","name":{"kind":"Name","value":"preview"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ContactConversationsQuery, ContactConversationsQueryVariables>;
export const HandOverDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"HandOver"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"user"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"channel"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"note"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"handOverConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"user"},"value":{"kind":"Variable","name":{"kind":"Name","value":"user"}}},{"kind":"Argument","name":{"kind":"Name","value":"channel"},"value":{"kind":"Variable","name":{"kind":"Name","value":"channel"}}},{"kind":"Argument","name":{"kind":"Name","value":"note"},"value":{"kind":"Variable","name":{"kind":"Name","value":"note"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<HandOverMutation, HandOverMutationVariables>;
export const FollowDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Follow"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"followConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<FollowMutation, FollowMutationVariables>;
export const UnfollowDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Unfollow"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"unfollowConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<UnfollowMutation, UnfollowMutationVariables>;
export const BlockDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Block"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"blockContact"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<BlockMutation, BlockMutationVariables>;
export const SetConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"patch"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetConversationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"patch"},"value":{"kind":"Variable","name":{"kind":"Name","value":"patch"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"category"}}]}}]}}]} as unknown as DocumentNode<SetConversationMutation, SetConversationMutationVariables>;
export const ImportConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ImportConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"origin"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"importConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"origin"},"value":{"kind":"Variable","name":{"kind":"Name","value":"origin"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<ImportConversationMutation, ImportConversationMutationVariables>;
export const WhyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Why"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"routingTrace"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"queueing"}},{"kind":"Field","name":{"kind":"Name","value":"trigger"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"entries"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"delaySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"channelsNotified"}},{"kind":"Field","name":{"kind":"Name","value":"channelsOffline"}},{"kind":"Field","name":{"kind":"Name","value":"users"}},{"kind":"Field","name":{"kind":"Name","value":"conditions"}},{"kind":"Field","name":{"kind":"Name","value":"rule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"workflow"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<WhyQuery, WhyQueryVariables>;
export const SmsSizeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SmsSize"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"text"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"smsSize"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"text"},"value":{"kind":"Variable","name":{"kind":"Name","value":"text"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"segments"}},{"kind":"Field","name":{"kind":"Name","value":"units"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}}]}}]}}]} as unknown as DocumentNode<SmsSizeQuery, SmsSizeQueryVariables>;