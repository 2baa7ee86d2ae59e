// Made by web/generate.mjs of schema.graphql and the documents: do not edit.

/** Codes of refusals (`extensions.code`). */
export type ErrorCode = 'BAD_USER_INPUT' | 'DOCUMENT_TOO_LARGE' | 'FORBIDDEN' | 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED' | 'INTERNAL_SERVER_ERROR' | 'NOT_FOUND' | 'OPERATION_RESOLUTION_FAILURE' | 'RATE_LIMITED' | 'UNAUTHENTICATED' | 'UNAVAILABLE' | 'UNPROCESSABLE'

/** The types of each interface and union. */
export const POSSIBLE_TYPES = {
  "ConversationEvent": [
    "ConversationChanged",
    "ConversationRemoved",
    "ConversationSnapshot",
    "MessageAdded",
    "MessageChanged",
    "MessageDeliveryChanged",
    "MessageRemoved",
    "ParticipantsChanged",
    "TypingChanged",
    "ViewersChanged"
  ],
  "InboxEvent": [
    "DraftChanged",
    "InboxEntryAdded",
    "InboxEntryChanged",
    "InboxEntryRemoved",
    "InboxSnapshot",
    "InboxSnapshotPage",
    "RuleNotification"
  ],
  "MessageAuthor": [
    "Contact",
    "UserProfile"
  ],
  "MyConversationsEvent": [
    "MyConversationAdded",
    "MyConversationChanged",
    "MyConversationRemoved",
    "MyConversationsSnapshot",
    "MyConversationsSnapshotPage"
  ],
  "QueueEvent": [
    "QueueEntryAdded",
    "QueueEntryChanged",
    "QueueEntryRemoved",
    "QueueSnapshot",
    "QueueSnapshotPage"
  ],
  "SearchResult": [
    "Contact",
    "Conversation",
    "Message"
  ],
  "Node": [
    "Article",
    "Attachment",
    "CannedResponse",
    "Channel",
    "Contact",
    "Conversation",
    "File",
    "Form",
    "Location",
    "Message",
    "Organization",
    "OrganizationGroup",
    "Service",
    "User",
    "Workflow"
  ],
  "Profile": [
    "User",
    "UserProfile"
  ],
  "StreamEvent": [
    "ConversationChanged",
    "ConversationRemoved",
    "ConversationSnapshot",
    "DraftChanged",
    "InboxEntryAdded",
    "InboxEntryChanged",
    "InboxEntryRemoved",
    "InboxSnapshot",
    "InboxSnapshotPage",
    "MessageAdded",
    "MessageChanged",
    "MessageDeliveryChanged",
    "MessageRemoved",
    "MyConversationAdded",
    "MyConversationChanged",
    "MyConversationRemoved",
    "MyConversationsSnapshot",
    "MyConversationsSnapshotPage",
    "ParticipantsChanged",
    "QueueEntryAdded",
    "QueueEntryChanged",
    "QueueEntryRemoved",
    "QueueSnapshot",
    "QueueSnapshotPage",
    "RuleNotification",
    "TypingChanged",
    "ViewersChanged"
  ]
}

/** Types without an `id`: they are parts of what they stand in. */
export const KEYLESS_TYPES: readonly string[] = [
  "Action",
  "ArticleConnection",
  "ArticleEdge",
  "AttachmentConnection",
  "AttachmentEdge",
  "CannedResponseConnection",
  "CannedResponseEdge",
  "ChannelConnection",
  "ChannelEdge",
  "Comment",
  "ContactAddress",
  "ContactConnection",
  "ContactEdge",
  "ContactPresence",
  "ContactProfile",
  "ConversationChanged",
  "ConversationConnection",
  "ConversationEdge",
  "ConversationRemoved",
  "ConversationSnapshot",
  "ConversationViewer",
  "Draft",
  "DraftChanged",
  "FileConnection",
  "FileEdge",
  "FormConnection",
  "FormEdge",
  "GuestSession",
  "InboxEntryAdded",
  "InboxEntryChanged",
  "InboxEntryConnection",
  "InboxEntryEdge",
  "InboxEntryRemoved",
  "InboxSnapshot",
  "InboxSnapshotPage",
  "Item",
  "LocationAddress",
  "LocationConnection",
  "LocationEdge",
  "MailSender",
  "MessageAdded",
  "MessageChanged",
  "MessageConnection",
  "MessageDeliveryChanged",
  "MessageEdge",
  "MessageRemoved",
  "MyConversationAdded",
  "MyConversationChanged",
  "MyConversationRemoved",
  "MyConversationsSnapshot",
  "MyConversationsSnapshotPage",
  "NotifiedConversation",
  "OpeningHours",
  "OrganizationCategory",
  "OrganizationConnection",
  "OrganizationEdge",
  "OrganizationGroupConnection",
  "OrganizationGroupEdge",
  "PageInfo",
  "ParticipantsChanged",
  "QueueEntryAdded",
  "QueueEntryChanged",
  "QueueEntryConnection",
  "QueueEntryEdge",
  "QueueEntryRemoved",
  "QueueSnapshot",
  "QueueSnapshotPage",
  "ReplayChange",
  "ReplayTargets",
  "RoutingTraceEntry",
  "RuleEvent",
  "RuleEventParams",
  "RuleNotification",
  "RuleReplay",
  "SearchConnection",
  "SearchEdge",
  "ServiceConnection",
  "ServiceEdge",
  "ServiceTest",
  "SignInLink",
  "SmsSize",
  "TokenResponse",
  "TypingChanged",
  "UserConnection",
  "UserEdge",
  "UserOrganization",
  "UserSettings",
  "ViewersChanged",
  "WebhookAttempt",
  "WebhookDeliveryConnection",
  "WebhookDeliveryEdge",
  "WebhookReplay",
  "WebhookState",
  "WorkflowConnection",
  "WorkflowEdge"
]

/** Of those, pages of lists. */
export const CONNECTION_TYPES: readonly string[] = [
  "ArticleConnection",
  "AttachmentConnection",
  "CannedResponseConnection",
  "ChannelConnection",
  "ContactConnection",
  "ConversationConnection",
  "FileConnection",
  "FormConnection",
  "InboxEntryConnection",
  "LocationConnection",
  "MessageConnection",
  "OrganizationConnection",
  "OrganizationGroupConnection",
  "QueueEntryConnection",
  "SearchConnection",
  "ServiceConnection",
  "UserConnection",
  "WebhookDeliveryConnection",
  "WorkflowConnection"
]

/** Of those, parts of records. */
export const PART_TYPES: readonly string[] = [
  "Action",
  "Comment",
  "ContactAddress",
  "ContactPresence",
  "ContactProfile",
  "ConversationViewer",
  "Draft",
  "GuestSession",
  "Item",
  "LocationAddress",
  "MailSender",
  "NotifiedConversation",
  "OpeningHours",
  "OrganizationCategory",
  "PageInfo",
  "ReplayChange",
  "ReplayTargets",
  "RoutingTraceEntry",
  "RuleEvent",
  "RuleEventParams",
  "RuleReplay",
  "ServiceTest",
  "SignInLink",
  "SmsSize",
  "TokenResponse",
  "UserOrganization",
  "UserSettings",
  "WebhookAttempt",
  "WebhookReplay",
  "WebhookState"
]

/** Fields that are lists of objects: a list replaces the one before. */
export const LIST_FIELDS: Readonly<Record<string, readonly string[]>> = {
  "Channel": [
    "members"
  ],
  "Contact": [
    "presences"
  ],
  "Conversation": [
    "participants",
    "routingTrace",
    "viewers"
  ],
  "Form": [
    "fields"
  ],
  "Item": [
    "actions"
  ],
  "Location": [
    "openingHours"
  ],
  "Message": [
    "actions",
    "comments",
    "deliveries",
    "items"
  ],
  "MessageForm": [
    "fields"
  ],
  "Mutation": [
    "sendMessages"
  ],
  "Organization": [
    "categories"
  ],
  "OrganizationCategory": [
    "forms"
  ],
  "OrganizationGroup": [
    "members"
  ],
  "Query": [
    "drafts",
    "explainWorkflow",
    "nodes",
    "organizationWorkflows",
    "testWorkflow",
    "testWorkflowRule"
  ],
  "RoutingTrace": [
    "entries"
  ],
  "RuleReplay": [
    "changes"
  ],
  "User": [
    "channels",
    "organizations"
  ],
  "WebhookDelivery": [
    "attempts"
  ],
  "Workflow": [
    "rules"
  ]
}
