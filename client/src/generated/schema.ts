// Made by web/generate.mjs of schema.graphql and the documents: do not edit.

/** Codes of refusals (`extensions.code`). */
export type ErrorCode = 'BAD_REQUEST' | 'BAD_USER_INPUT' | 'DOCUMENT_TOO_LARGE' | 'FORBIDDEN' | 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED' | 'INTERNAL_SERVER_ERROR' | 'NOT_FOUND' | 'OPERATION_RESOLUTION_FAILURE' | 'PERSISTED_QUERY_NOT_SUPPORTED' | 'RATE_LIMITED' | 'TOKEN_EXPIRED' | 'UNAUTHENTICATED' | 'UNAVAILABLE' | 'UNPROCESSABLE'

/** The types of each interface and union. */
export const POSSIBLE_TYPES = {
  "AgentStatesEvent": [
    "AgentStateChanged",
    "AgentStatesSnapshot"
  ],
  "ConversationEvent": [
    "ClockChanged",
    "ConversationChanged",
    "ConversationRemoved",
    "ConversationSnapshot",
    "MessageAdded",
    "MessageChanged",
    "MessageDeliveryChanged",
    "MessageRemoved",
    "ParticipantsChanged",
    "QueuePlaceChanged",
    "TypingChanged",
    "ViewersChanged"
  ],
  "InboxEvent": [
    "AgentStateChanged",
    "DraftChanged",
    "InboxEntryAdded",
    "InboxEntryChanged",
    "InboxEntryRemoved",
    "InboxSnapshot",
    "InboxSnapshotPage",
    "OfferEnded",
    "OfferMade",
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
  "ServiceSettings": [
    "EmailSettings",
    "MessengerSettings",
    "SmsSettings",
    "WebSettings",
    "WebhookSettings"
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
    "Schedule",
    "Service",
    "Skill",
    "SlaPolicy",
    "User",
    "Workflow"
  ],
  "Profile": [
    "User",
    "UserProfile"
  ],
  "Result": [
    "FormResult",
    "ReportedResult"
  ],
  "StreamEvent": [
    "AgentStateChanged",
    "AgentStatesSnapshot",
    "ClockChanged",
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
    "OfferEnded",
    "OfferMade",
    "ParticipantsChanged",
    "QueueEntryAdded",
    "QueueEntryChanged",
    "QueueEntryRemoved",
    "QueuePlaceChanged",
    "QueueSnapshot",
    "QueueSnapshotPage",
    "RuleNotification",
    "TypingChanged",
    "ViewersChanged",
    "WallboardSnapshot"
  ]
}

/** Types without an `id`: they are parts of what they stand in. */
export const KEYLESS_TYPES: readonly string[] = [
  "Action",
  "ActiveForm",
  "AgentState",
  "AgentStateChanged",
  "AgentStatesSnapshot",
  "ArticleConnection",
  "ArticleEdge",
  "AttachmentConnection",
  "AttachmentEdge",
  "CannedResponseConnection",
  "CannedResponseEdge",
  "ChannelAssignment",
  "ChannelConnection",
  "ChannelEdge",
  "ClockChanged",
  "Comment",
  "ConditionTrace",
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
  "ConversationTouchpoint",
  "ConversationTouchpoints",
  "ConversationViewer",
  "DayTimes",
  "Draft",
  "DraftChanged",
  "EmailSettings",
  "FileConnection",
  "FileEdge",
  "FormConnection",
  "FormEdge",
  "FormResult",
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
  "MessengerSettings",
  "MyConversationAdded",
  "MyConversationChanged",
  "MyConversationRemoved",
  "MyConversationsSnapshot",
  "MyConversationsSnapshotPage",
  "NotifiedConversation",
  "OfferCandidate",
  "OfferEnded",
  "OfferMade",
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
  "QueuePlace",
  "QueuePlaceChanged",
  "QueueSnapshot",
  "QueueSnapshotPage",
  "ReplayChange",
  "ReplayTargets",
  "Report",
  "ReportLine",
  "ReportRow",
  "ReportRowConnection",
  "ReportRowEdge",
  "ReportValue",
  "ReportedResult",
  "RoutingTraceEntry",
  "RuleEvent",
  "RuleEventParams",
  "RuleNotification",
  "RuleReplay",
  "ScheduleConnection",
  "ScheduleDay",
  "ScheduleEdge",
  "ScheduleException",
  "SearchConnection",
  "SearchEdge",
  "ServiceConnection",
  "ServiceEdge",
  "ServiceTest",
  "SignInLink",
  "SkillConnection",
  "SkillEdge",
  "SlaPolicyConnection",
  "SlaPolicyEdge",
  "SlaTarget",
  "SmsSettings",
  "SmsSize",
  "TokenResponse",
  "TypingChanged",
  "UserConnection",
  "UserEdge",
  "UserOrganization",
  "UserSettings",
  "ViewersChanged",
  "WallboardSnapshot",
  "WebSettings",
  "WebhookAttempt",
  "WebhookDeliveryConnection",
  "WebhookDeliveryEdge",
  "WebhookReplay",
  "WebhookSettings",
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
  "ReportRowConnection",
  "ScheduleConnection",
  "SearchConnection",
  "ServiceConnection",
  "SkillConnection",
  "SlaPolicyConnection",
  "UserConnection",
  "WebhookDeliveryConnection",
  "WorkflowConnection"
]

/** Of those, parts of records. */
export const PART_TYPES: readonly string[] = [
  "Action",
  "ActiveForm",
  "AgentState",
  "ChannelAssignment",
  "Comment",
  "ConditionTrace",
  "ContactAddress",
  "ContactPresence",
  "ContactProfile",
  "ConversationTouchpoint",
  "ConversationTouchpoints",
  "ConversationViewer",
  "DayTimes",
  "Draft",
  "EmailSettings",
  "FormResult",
  "GuestSession",
  "Item",
  "LocationAddress",
  "MailSender",
  "MessengerSettings",
  "NotifiedConversation",
  "OfferCandidate",
  "OpeningHours",
  "OrganizationCategory",
  "PageInfo",
  "QueuePlace",
  "ReplayChange",
  "ReplayTargets",
  "Report",
  "ReportLine",
  "ReportRow",
  "ReportValue",
  "ReportedResult",
  "RoutingTraceEntry",
  "RuleEvent",
  "RuleEventParams",
  "RuleReplay",
  "ScheduleDay",
  "ScheduleException",
  "ServiceTest",
  "SignInLink",
  "SlaTarget",
  "SmsSettings",
  "SmsSize",
  "TokenResponse",
  "UserOrganization",
  "UserSettings",
  "WebSettings",
  "WebhookAttempt",
  "WebhookReplay",
  "WebhookSettings",
  "WebhookState"
]

/** Fields that are lists of objects: a list replaces the one before. */
export const LIST_FIELDS: Readonly<Record<string, readonly string[]>> = {
  "AgentState": [
    "skills"
  ],
  "Channel": [
    "members"
  ],
  "Contact": [
    "presences"
  ],
  "Conversation": [
    "clocks",
    "forms",
    "notifiedChannels",
    "offlineChannels",
    "participants",
    "results",
    "routingTrace",
    "viewers"
  ],
  "ConversationTouchpoint": [
    "services"
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
    "items",
    "results"
  ],
  "MessageForm": [
    "fields"
  ],
  "Mutation": [
    "sendMessages"
  ],
  "OfferTrace": [
    "candidates"
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
    "agentStates",
    "drafts",
    "explainWorkflow",
    "nodes",
    "offers",
    "organizationWorkflows",
    "pushSubscriptions",
    "testWorkflow",
    "testWorkflowRule"
  ],
  "Report": [
    "lines",
    "totals"
  ],
  "ReportLine": [
    "values"
  ],
  "RoutingTrace": [
    "candidates",
    "entries",
    "offers"
  ],
  "RoutingTraceEntry": [
    "conditions"
  ],
  "RuleReplay": [
    "changes"
  ],
  "Schedule": [
    "days",
    "exceptions",
    "spans"
  ],
  "ScheduleDay": [
    "spans"
  ],
  "ScheduleException": [
    "spans"
  ],
  "SlaPolicy": [
    "targets"
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
