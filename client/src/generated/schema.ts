// Made by web/generate.mjs of schema.graphql and the documents: do not edit.

/** Codes of refusals (`extensions.code`). */
export type ErrorCode = 'BAD_REQUEST' | 'BAD_USER_INPUT' | 'DOCUMENT_TOO_LARGE' | 'FORBIDDEN' | 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED' | 'INTERNAL_SERVER_ERROR' | 'NOT_FOUND' | 'OPERATION_RESOLUTION_FAILURE' | 'PERSISTED_QUERY_NOT_SUPPORTED' | 'PRECONDITION_FAILED' | 'RATE_LIMITED' | 'TOKEN_EXPIRED' | 'UNAUTHENTICATED' | 'UNAVAILABLE' | 'UNPROCESSABLE'

/** The types of each interface and union. */
export const POSSIBLE_TYPES = {
  "AgentStatesEvent": [
    "AgentStateChanged",
    "AgentStateRemoved",
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
    "User"
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
  "RecordChangesEvent": [
    "RecordChanged",
    "RecordChangesSnapshot"
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
    "WebhookSettings",
    "WhatsappSettings"
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
    "HolidayCalendar",
    "Label",
    "Location",
    "Message",
    "Organization",
    "OrganizationGroup",
    "ReasonCode",
    "Schedule",
    "Service",
    "Skill",
    "SlaPolicy",
    "User",
    "Workflow"
  ],
  "Result": [
    "FormResult",
    "ReportedResult"
  ],
  "StreamEvent": [
    "AgentStateChanged",
    "AgentStateRemoved",
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
    "RecordChanged",
    "RecordChangesSnapshot",
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
  "AgentStateRemoved",
  "AgentStatesSnapshot",
  "ArticleConnection",
  "ArticleEdge",
  "AttachmentConnection",
  "AttachmentEdge",
  "AuditEntryConnection",
  "AuditEntryEdge",
  "AuditExport",
  "AuditFault",
  "AuditVerification",
  "CannedResponseConnection",
  "CannedResponseEdge",
  "ChannelAssignment",
  "ChannelConnection",
  "ChannelEdge",
  "ChannelServiceLevel",
  "ClockChanged",
  "Closing",
  "Comment",
  "ConditionTrace",
  "ContactAddress",
  "ContactCenterConnection",
  "ContactCenterEdge",
  "ContactCenterQuotas",
  "ContactCenterUsage",
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
  "HeldBecause",
  "HolidayCalendarConnection",
  "HolidayCalendarEdge",
  "InboxEntryAdded",
  "InboxEntryChanged",
  "InboxEntryConnection",
  "InboxEntryEdge",
  "InboxEntryRemoved",
  "InboxSnapshot",
  "InboxSnapshotPage",
  "Item",
  "LabelConnection",
  "LabelEdge",
  "LocationAddress",
  "LocationConnection",
  "LocationEdge",
  "MailAddressObject",
  "MailSender",
  "MessageAdded",
  "MessageChanged",
  "MessageConnection",
  "MessageDeliveryChanged",
  "MessageEdge",
  "MessageMail",
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
  "ReasonCodeConnection",
  "ReasonCodeEdge",
  "RecordChangesSnapshot",
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
  "SlaAct",
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
  "ViewCount",
  "ViewersChanged",
  "WallboardSnapshot",
  "WebSettings",
  "WebhookAttempt",
  "WebhookDeliveryConnection",
  "WebhookDeliveryEdge",
  "WebhookReplay",
  "WebhookSettings",
  "WebhookState",
  "WhatsappSettings",
  "WorkflowConnection",
  "WorkflowEdge"
]

/** Pages of lists among those. */
export const CONNECTION_TYPES: readonly string[] = [
  "ArticleConnection",
  "AttachmentConnection",
  "AuditEntryConnection",
  "CannedResponseConnection",
  "ChannelConnection",
  "ContactCenterConnection",
  "ContactConnection",
  "ConversationConnection",
  "FileConnection",
  "FormConnection",
  "HolidayCalendarConnection",
  "InboxEntryConnection",
  "LabelConnection",
  "LocationConnection",
  "MessageConnection",
  "OrganizationConnection",
  "OrganizationGroupConnection",
  "QueueEntryConnection",
  "ReasonCodeConnection",
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

/** Parts of records among those. */
export const PART_TYPES: readonly string[] = [
  "Action",
  "ActiveForm",
  "AgentState",
  "AuditExport",
  "AuditFault",
  "AuditVerification",
  "ChannelAssignment",
  "ChannelServiceLevel",
  "Closing",
  "Comment",
  "ConditionTrace",
  "ContactAddress",
  "ContactCenterQuotas",
  "ContactCenterUsage",
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
  "HeldBecause",
  "Item",
  "LocationAddress",
  "MailAddressObject",
  "MailSender",
  "MessageMail",
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
  "SlaAct",
  "SlaTarget",
  "SmsSettings",
  "SmsSize",
  "TokenResponse",
  "UserOrganization",
  "UserSettings",
  "ViewCount",
  "WebSettings",
  "WebhookAttempt",
  "WebhookReplay",
  "WebhookSettings",
  "WebhookState",
  "WhatsappSettings"
]

/** Fields that are lists of objects: a list replaces the one before. */
export const LIST_FIELDS: Readonly<Record<string, readonly string[]>> = {
  "AgentState": [
    "reasonCodes",
    "skills"
  ],
  "AuditVerification": [
    "faults"
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
    "labels",
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
  "HeldBecause": [
    "news"
  ],
  "HolidayCalendar": [
    "days"
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
    "likedBy",
    "results"
  ],
  "MessageForm": [
    "fields"
  ],
  "MessageMail": [
    "cc",
    "to"
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
    "agentStates",
    "drafts",
    "erasures",
    "explainWorkflow",
    "nodes",
    "offers",
    "organizationWorkflows",
    "pushSubscriptions",
    "templates",
    "testWorkflow",
    "testWorkflowRule",
    "viewCounts"
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
  "RuleEventParams": [
    "notifiedChannels",
    "notifiedUsers"
  ],
  "RuleReplay": [
    "changes"
  ],
  "Schedule": [
    "calendars",
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
  "SlaTarget": [
    "acts"
  ],
  "User": [
    "apiTokens",
    "channels",
    "organizations"
  ],
  "WebhookDelivery": [
    "attempts"
  ],
  "Workflow": [
    "limitedToOrganizations",
    "rules"
  ]
}
