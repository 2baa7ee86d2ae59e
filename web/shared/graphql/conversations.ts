// Made by web/generate.mjs of schema.graphql and the documents: do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocument } from '@switchboard/client'
export type ActionInput = {
  fallback?: string | null | undefined;
  iconUrl?: string | null | undefined;
  mediaType?: string | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  payload?: string | null | undefined;
  size?: string | null | undefined;
  text?: string | null | undefined;
  type: ActionType;
  uri?: string | null | undefined;
};

export type ActionType =
  | 'LINK'
  | 'LOCATION_REQUEST'
  | 'POSTBACK'
  | 'REPLY'
  | 'WEBVIEW';

export type CandidateOutcome =
  | 'AT_CAPACITY'
  | 'CHOSEN'
  | 'DECLINED'
  | 'LACKS_SKILLS'
  | 'LESS_SUITABLE'
  | 'NOT_PREFERRED'
  | 'NOT_SUBSCRIBED'
  | 'OUT_OF_REACH'
  | 'RESERVED'
  | 'UNAVAILABLE';

export type ConditionKind =
  | 'ALL'
  | 'ANY'
  | 'LEAF';

export type ContactStatus =
  | 'ACTIVE'
  | 'BLOCKED';

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

export type FormFieldType =
  | 'BOOLEAN'
  | 'DATE'
  | 'EMAIL'
  | 'MULTISELECT'
  | 'NUMBER'
  | 'SELECT'
  | 'TELEPHONE'
  | 'TEXT'
  | 'TEXTAREA'
  | 'URL';

export type ItemInput = {
  actions?: Array<ActionInput> | null | undefined;
  description?: string | null | undefined;
  iconUrl?: string | null | undefined;
  mediaType?: string | null | undefined;
  mediaUrl?: string | null | undefined;
  size?: string | null | undefined;
  title?: string | null | undefined;
};

export type MessageInput = {
  actions?: Array<ActionInput> | null | undefined;
  contentType?: ContentType | null | undefined;
  delay?: number | null | undefined;
  id?: string | null | undefined;
  isBackchannel?: boolean | null | undefined;
  items?: Array<ItemInput> | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  results?: Array<ReportedResultInput> | null | undefined;
  role?: MessageRole | null | undefined;
  service?: string | null | undefined;
  text?: string | null | undefined;
  touchpoint?: Touchpoint | null | undefined;
  type?: MessageType | null | undefined;
  user?: string | null | undefined;
};

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

export type ReportedResultInput = {
  custom?: Record<string, unknown> | null | undefined;
  name: string;
  values: Record<string, unknown>;
};

export type RuleOutcome =
  | 'DEFERRED'
  | 'FIRED'
  | 'NOT_MATCHED'
  | 'SKIPPED';

export type SetConversationInput = {
  category?: string | null | undefined;
  language?: string | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  name?: string | null | undefined;
  touchpoint?: Touchpoint | null | undefined;
};

export type Touchpoint =
  | 'EMAIL'
  | 'MESSENGER'
  | 'SMS'
  | 'WEB';

export type ConversationBySlugQueryVariables = Exact<{
  slug: string;
}>;


export type ConversationBySlugQuery = { conversations: { edges: Array<{ node: { id: string, status: ConversationStatus } }> } };

export type AcceptMutationVariables = Exact<{
  conversation: string;
  ifQueued?: boolean | null | undefined;
  trigger?: string | null | undefined;
}>;


export type AcceptMutation = { acceptConversation: { id: string, status: ConversationStatus } };

export type JoinMutationVariables = Exact<{
  conversation: string;
}>;


export type JoinMutation = { joinConversation: { id: string, status: ConversationStatus } };

export type LeaveMutationVariables = Exact<{
  conversation: string;
}>;


export type LeaveMutation = { leaveConversation: { id: string, status: ConversationStatus } };

export type SendMutationVariables = Exact<{
  conversation: string;
  message: MessageInput;
}>;


export type SendMutation = { sendMessage: { id: string, position: number } };

export type CancelMessageMutationVariables = Exact<{
  conversation: string;
  id: string;
}>;


export type CancelMessageMutation = { cancelMessage: string };

export type UpdateMessageMutationVariables = Exact<{
  id: string;
  text: string;
}>;


export type UpdateMessageMutation = { updateMessage: { id: string } };

export type DeleteMessageMutationVariables = Exact<{
  id: string;
}>;


export type DeleteMessageMutation = { deleteMessage: string };

export type MarkReadMutationVariables = Exact<{
  conversation: string;
  message: string;
}>;


export type MarkReadMutation = { markRead: { id: string } };

export type SetTypingMutationVariables = Exact<{
  conversation: string;
  typing: boolean;
  isBackchannel?: boolean | null | undefined;
}>;


export type SetTypingMutation = { setTyping: boolean };

export type ViewersQueryVariables = Exact<{
  conversation: string;
}>;


export type ViewersQuery = { conversation: { id: string, viewers: Array<{ userId: string, user: { displayName: string } | null }> } | null };

export type SendAllMutationVariables = Exact<{
  conversation: string;
  messages: Array<MessageInput>;
}>;


export type SendAllMutation = { sendMessages: Array<{ id: string }> };

export type DraftsQueryVariables = Exact<{ [key: string]: never; }>;


export type DraftsQuery = { drafts: Array<{ conversation: string, text: string, isBackchannel: boolean, updatedAt: string }> };

export type SaveDraftMutationVariables = Exact<{
  conversation: string;
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
  conversation: string;
}>;


export type ContactPanelQuery = { conversation: { id: string, contact: { id: string, status: ContactStatus, meta: Record<string, unknown> | null, profile: { name: string | null, givenName: string | null, additionalName: string | null, familyName: string | null, honorificPrefix: string | null, honorificSuffix: string | null, gender: string | null, email: string | null, telephone: string | null, worksFor: string | null, address: { streetAddress: string | null, streetNumber: string | null, postalCode: string | null, addressLocality: string | null, addressRegion: string | null, addressCountry: string | null } | null }, presences: Array<{ touchpoint: Touchpoint, online: boolean, lastSeenAt: string }> } | null } | null };

export type ContactConversationsQueryVariables = Exact<{
  contact: string;
}>;


export type ContactConversationsQuery = { conversations: { edges: Array<{ node: { id: string, name: string, status: ConversationStatus, touchpoint: Touchpoint | null, category: string | null, createdAt: string, lastMessageAt: string | null, preview: string | null } }> } };

export type HandOverMutationVariables = Exact<{
  conversation: string;
  user?: string | null | undefined;
  channel?: string | null | undefined;
  note?: string | null | undefined;
}>;


export type HandOverMutation = { handOverConversation: { id: string, status: ConversationStatus } };

export type FollowMutationVariables = Exact<{
  conversation: string;
}>;


export type FollowMutation = { followConversation: { id: string } };

export type UnfollowMutationVariables = Exact<{
  conversation: string;
}>;


export type UnfollowMutation = { unfollowConversation: { id: string } };

export type BlockMutationVariables = Exact<{
  conversation: string;
}>;


export type BlockMutation = { blockContact: { id: string } };

export type SetConversationMutationVariables = Exact<{
  conversation: string;
  patch: SetConversationInput;
}>;


export type SetConversationMutation = { setConversation: { id: string, category: string | null } };

export type ImportConversationMutationVariables = Exact<{
  conversation: string;
  origin: string;
}>;


export type ImportConversationMutation = { importConversation: { id: string } };

export type ConditionFragment = { depth: number, kind: ConditionKind, fact: string | null, path: string | null, operator: string | null, value: unknown, isFound: boolean | null, factValue: unknown, result: boolean };

export type WhyQueryVariables = Exact<{
  conversation: string;
}>;


export type WhyQuery = { conversation: { id: string, routingTrace: Array<{ id: string, queueing: number, trigger: string, createdAt: string, entries: Array<{ outcome: RuleOutcome, reason: string, delaySeconds: number | null, channelsNotified: Array<string>, channelsOffline: Array<string>, users: Array<string>, conditions: Array<{ depth: number, kind: ConditionKind, fact: string | null, path: string | null, operator: string | null, value: unknown, isFound: boolean | null, factValue: unknown, result: boolean }> | null, rule: { name: string | null } | null, workflow: { name: string } | null }>, offers: Array<{ id: string, userId: string, outcome: OfferOutcome | null, reason: string | null, madeAt: string }>, candidates: Array<{ userId: string, outcome: CandidateOutcome, reason: string, load: number, user: { displayName: string } | null }> }> } | null };

export type SmsSizeQueryVariables = Exact<{
  text: string;
}>;


export type SmsSizeQuery = { smsSize: { segments: number, units: number, encoding: string } };

export const ConversationBySlugDocument = "query ConversationBySlug($slug:String!){conversations(first:1 filter:{slug:{eq:$slug}}){edges{node{id status}}}}" as TypedDocument<ConversationBySlugQuery, ConversationBySlugQueryVariables>

export const AcceptDocument = "mutation Accept($conversation:ID!$ifQueued:Boolean$trigger:String){acceptConversation(conversation:$conversation ifQueued:$ifQueued trigger:$trigger){id status}}" as TypedDocument<AcceptMutation, AcceptMutationVariables>

export const JoinDocument = "mutation Join($conversation:ID!){joinConversation(conversation:$conversation){id status}}" as TypedDocument<JoinMutation, JoinMutationVariables>

export const LeaveDocument = "mutation Leave($conversation:ID!){leaveConversation(conversation:$conversation){id status}}" as TypedDocument<LeaveMutation, LeaveMutationVariables>

export const SendDocument = "mutation Send($conversation:ID!$message:MessageInput!){sendMessage(conversation:$conversation message:$message){id position}}" as TypedDocument<SendMutation, SendMutationVariables>

export const CancelMessageDocument = "mutation CancelMessage($conversation:ID!$id:ID!){cancelMessage(conversation:$conversation id:$id)}" as TypedDocument<CancelMessageMutation, CancelMessageMutationVariables>

export const UpdateMessageDocument = "mutation UpdateMessage($id:ID!$text:String!){updateMessage(id:$id patch:{text:$text}){id}}" as TypedDocument<UpdateMessageMutation, UpdateMessageMutationVariables>

export const DeleteMessageDocument = "mutation DeleteMessage($id:ID!){deleteMessage(id:$id)}" as TypedDocument<DeleteMessageMutation, DeleteMessageMutationVariables>

export const MarkReadDocument = "mutation MarkRead($conversation:ID!$message:ID!){markRead(conversation:$conversation message:$message){id}}" as TypedDocument<MarkReadMutation, MarkReadMutationVariables>

export const SetTypingDocument = "mutation SetTyping($conversation:ID!$typing:Boolean!$isBackchannel:Boolean){setTyping(conversation:$conversation typing:$typing isBackchannel:$isBackchannel)}" as TypedDocument<SetTypingMutation, SetTypingMutationVariables>

export const ViewersDocument = "query Viewers($conversation:ID!){conversation(id:$conversation){id viewers{userId user{displayName}}}}" as TypedDocument<ViewersQuery, ViewersQueryVariables>

export const SendAllDocument = "mutation SendAll($conversation:ID!$messages:[MessageInput!]!){sendMessages(conversation:$conversation messages:$messages){id}}" as TypedDocument<SendAllMutation, SendAllMutationVariables>

export const DraftsDocument = "query Drafts{drafts{conversation text isBackchannel updatedAt}}" as TypedDocument<DraftsQuery, DraftsQueryVariables>

export const SaveDraftDocument = "mutation SaveDraft($conversation:ID!$text:String!$isBackchannel:Boolean){saveDraft(conversation:$conversation text:$text isBackchannel:$isBackchannel){updatedAt}}" as TypedDocument<SaveDraftMutation, SaveDraftMutationVariables>

export const CannedResponsesDocument = "query CannedResponses($after:String){cannedResponses(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{id shortcut text organizationId}}}}" as TypedDocument<CannedResponsesQuery, CannedResponsesQueryVariables>

export const CategoryFormsDocument = "query CategoryForms{me{organization{id categories{name forms{id name fields{id key label type required options placeholder}}}}}}" as TypedDocument<CategoryFormsQuery, CategoryFormsQueryVariables>

export const ContactPanelDocument = "query ContactPanel($conversation:ID!){conversation(id:$conversation){id contact{id status meta profile{name givenName additionalName familyName honorificPrefix honorificSuffix gender email telephone worksFor address{streetAddress streetNumber postalCode addressLocality addressRegion addressCountry}}presences{touchpoint online lastSeenAt}}}}" as TypedDocument<ContactPanelQuery, ContactPanelQueryVariables>

export const ContactConversationsDocument = "query ContactConversations($contact:ID!){conversations(first:10 filter:{contact:{eq:$contact}}orderBy:[{field:CREATED_AT direction:DESC}]){edges{node{id name status touchpoint category createdAt lastMessageAt preview}}}}" as TypedDocument<ContactConversationsQuery, ContactConversationsQueryVariables>

export const HandOverDocument = "mutation HandOver($conversation:ID!$user:ID$channel:ID$note:String){handOverConversation(conversation:$conversation user:$user channel:$channel note:$note){id status}}" as TypedDocument<HandOverMutation, HandOverMutationVariables>

export const FollowDocument = "mutation Follow($conversation:ID!){followConversation(conversation:$conversation){id}}" as TypedDocument<FollowMutation, FollowMutationVariables>

export const UnfollowDocument = "mutation Unfollow($conversation:ID!){unfollowConversation(conversation:$conversation){id}}" as TypedDocument<UnfollowMutation, UnfollowMutationVariables>

export const BlockDocument = "mutation Block($conversation:ID!){blockContact(conversation:$conversation){id}}" as TypedDocument<BlockMutation, BlockMutationVariables>

export const SetConversationDocument = "mutation SetConversation($conversation:ID!$patch:SetConversationInput!){setConversation(conversation:$conversation patch:$patch){id category}}" as TypedDocument<SetConversationMutation, SetConversationMutationVariables>

export const ImportConversationDocument = "mutation ImportConversation($conversation:ID!$origin:ID!){importConversation(conversation:$conversation origin:$origin){id}}" as TypedDocument<ImportConversationMutation, ImportConversationMutationVariables>

export const WhyDocument = "query Why($conversation:ID!){conversation(id:$conversation){id routingTrace(first:5){id queueing trigger createdAt entries{outcome reason delaySeconds channelsNotified channelsOffline users conditions{...Condition}rule{name}workflow{name}}offers{id userId outcome reason madeAt}candidates{userId outcome reason load user{displayName}}}}}fragment Condition on ConditionTrace{depth kind fact path operator value isFound factValue result}" as TypedDocument<WhyQuery, WhyQueryVariables>

export const SmsSizeDocument = "query SmsSize($text:String!){smsSize(text:$text){segments units encoding}}" as TypedDocument<SmsSizeQuery, SmsSizeQueryVariables>
