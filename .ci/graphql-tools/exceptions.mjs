// What the tools may find, and why it stays. `where` is a coordinate of the schema, or a place in a document.

const SCHEMA = 'graphql-eslint: schema'

const names = (list) => new RegExp(`^(?:${list.trim().split(/\s+/).join('|')})$`)

export const EXCEPTIONS = [
  {
    tool: SCHEMA,
    rule: 'strict-id-in-types',
    where: names(`ReplayUnknown PublicationRefusal WorkflowChange WorkflowDiff WorkflowPartDiff WorkflowPublication`),
    why: 'A change is known by its workflow and its number; the others are parts of an answer.',
  },
  {
    tool: SCHEMA,
    rule: 'strict-id-in-types',
    where:
      names(`Action AgentState EventFeedPage FeedState Transcript MacroStep MacroRefusal MacroResult BulkRefusal BotGovernance BotGrant AuditActor AuditExport AuditFault AuditSubject AuditVerification ErasureLines RetentionPreview EnrolledPasskey HeldBecause BotBudget BotBudgetUsed BotPause MailAddressObject MessageMail MessageProvenance MessageRecipients MessageSource DeliveryCopy SlaAct WhatsappSettings TelegramSettings InstagramSettings EventsSettings EventsState FourEyes SecondFactor OidcRole OidcSettings SamlSettings PasskeyChallenge DomainRecord SignInMethods ProviderStart SignInAddresses TrialSignIn SignInPolicy SignInPolicyEffects SignInRuleSet ChannelAssignment ChannelServiceLevel ChannelSurvey Comment ContactAddress ContactPresence ContactProfile ContactCenterQuotas ContactCenterUsage ConversationRoute RouteFormats ConversationViewer Draft DraftMail GuestSession Item MessageForwarding
      LocationAddress MailSender TimelineEntry NotifiedConversation DayTimes OfferCandidate OpeningHours OrganizationCategory ReplayChange ReplayTargets
      ActiveForm Closing ConditionTrace ConversationTouchpoint ConversationTouchpoints FormResult ReportedResult
      EmailSettings MailboxHealth MailboxEntryCount MailboxSettings MessageReaction ServiceHealth ServiceKind ServiceParam ServiceParamOption ServiceRefusal ServiceSetUpStep ServiceAuthorization ServiceSignIn UnnamedEvents MessengerSettings SmsSettings WebSettings WebhookSettings Report ReportLine ReportRow ReportValue RoutingChange RoutingDocument RoutingFieldChange RoutingPlan RoutingTraceEntry RuleEvent RuleEventParams RuleReplay ServiceTest SignInLink SmsSize TokenResponse UserOrganization UserSettings
      Provisioning ProvisionedGroup QueuePlace ViewCount ViewGap ScheduleDay ScheduleException SlaTarget WebhookAttempt WebhookReplay WebhookState`),
    why: 'Parts of a record, or answers of one moment: a cache keeps them in what they belong to.',
  },
  {
    tool: SCHEMA,
    rule: 'relay-edge-types',
    where: names('QueueEntryEdge InboxEntryEdge'),
    why: 'Their ids are made of those that they join; what they lead to are nodes.',
  },
  {
    tool: SCHEMA,
    rule: 'relay-edge-types',
    where: names('AuditEntryEdge TimelineEntryEdge MailboxEntryEdge WebhookDeliveryEdge ReportRowEdge HeldMessageEdge'),
    why: 'Lines of a log or of a report, which are read by that alone.',
  },
  {
    tool: SCHEMA,
    rule: 'relay-edge-types',
    where: names('ContactCenterEdge'),
    why: "The operator's view of an organization, whose id it has: the node of that id is the organization.",
  },
  {
    tool: SCHEMA,
    rule: 'naming-convention',
    where: names('CreateWorkflowInput._id WorkflowRuleInput._id'),
    why: 'Legacy clients send workflows back as they read them (2.7).',
  },
  {
    tool: SCHEMA,
    rule: 'no-typename-prefix',
    where: names('File.fileType'),
    why: 'The name of the specification (2.12).',
  },
  {
    tool: SCHEMA,
    rule: 'relay-arguments',
    where: names('Query.search Query.reportRows'),
    why: 'Results come by rank and reports in their order, which have no way back.',
  },
]
