/** The kinds of data in a table: consumers' or none, and what happens to it when a contact is deleted. */
export type Place =
  /** No consumers' data: settings, staff, an organization's own content, or ids and numbers only. */
  | 'nothing'
  /** Deleted with the contact's row by foreign keys. */
  | 'cascade'
  /** Deleted or emptied by the steps of the erasure, see `erase.ts`. */
  | 'erased'
  /** Replaced by a hash by which a given address can still be matched. */
  | 'hashed'

/**
 * Personal data in every table. A new table is added here; if it contains consumers' data, it also gets a step of the
 * erasure or a cascading foreign key.
 */
export const PERSONAL_DATA: Readonly<Record<string, Place>> = {
  contact: 'cascade',
  contact_note: 'cascade',
  contact_change: 'cascade',
  contact_merge: 'cascade',
  deleted_conversation: 'cascade',
  // Ids, numbers and pseudonyms.
  erasure: 'nothing',
  // Its file goes by a job.
  contact_export: 'cascade',
  // Ids, and what administrators call it; what was edited or deleted goes with the conversation.
  hold: 'nothing',
  held_message: 'cascade',
  held_part: 'cascade',
  // Areas, and ids of what administrators propose: of a contact its id alone.
  four_eyes: 'nothing',
  pending_change: 'nothing',
  // Ids, and numbers.
  retention_policy: 'nothing',
  retention_run: 'nothing',
  contact_handle: 'cascade',
  contact_presence: 'cascade',
  touchpoint_thread: 'cascade',
  conversation: 'cascade',
  conversation_draft: 'cascade',
  participant: 'cascade',
  // Copies in other conversations are erased.
  message: 'cascade',
  // What is shown of a message that is being written.
  message_stream: 'cascade',
  // What bots would say.
  proposal: 'cascade',
  message_stream_part: 'cascade',
  routing_decision: 'cascade',
  merge_suggestion: 'cascade',
  delivery: 'cascade',
  delivery_part: 'cascade',
  event: 'erased',
  webhook_event: 'erased',
  webhook_delivery: 'erased',
  webhook_attempt: 'erased',
  job: 'erased',
  job_partition: 'erased',
  idempotency_key: 'erased',
  conversation_viewer: 'erased',
  attachment: 'erased',
  inbound_message: 'hashed',
  opt_out: 'hashed',
  // What providers say of services, and their names of events.
  service_check: 'nothing',
  service_unnamed: 'nothing',
  blocked_address: 'hashed',
  // Who stopped which bots.
  bot_pause: 'nothing',
  // What bots may do, and who last said so.
  bot_governance: 'nothing',
  bot_grant: 'nothing',
  // How much bots may say, and have said.
  bot_budget: 'nothing',
  bot_day: 'nothing',
  // An id, until the sign-in expires; of users' also network and browser.
  token_family: 'nothing',
  ending_api_token: 'nothing',
  refresh_token: 'nothing',
  // Ids only, which redirect guests and prevent a repeated message from being created again.
  conversation_merge: 'nothing',
  deleted_message: 'nothing',
  // Ids and numbers: what a report counts stays when the conversation goes.
  milestone: 'nothing',
  // Ids and numbers; what consumers wrote is in a table of its own.
  rating: 'nothing',
  rating_comment: 'cascade',
  report_fold: 'nothing',
  report_group: 'nothing',
  report_slot: 'nothing',
  // Programs of our own pages.
  page_document: 'nothing',
  organization: 'nothing',
  contact_center: 'nothing',
  organization_group: 'nothing',
  app_user: 'nothing',
  user_network: 'nothing',
  user_factor: 'nothing',
  recovery_code: 'nothing',
  passkey: 'nothing',
  passkey_challenge: 'nothing',
  // Of users alone.
  user_identity: 'nothing',
  service_authorization: 'nothing',
  sso_ticket: 'nothing',
  sso_attempt: 'nothing',
  sso_finding: 'nothing',
  sso_logout: 'nothing',
  sso_assertion: 'nothing',
  scim_token: 'nothing',
  scim_user: 'nothing',
  scim_removed: 'nothing',
  scim_group: 'nothing',
  scim_member: 'nothing',
  domain: 'nothing',
  sign_in_policy: 'nothing',
  push_subscription: 'nothing',
  // Ids, and reasons that agents gave for declining.
  offer: 'cascade',
  staff: 'nothing',
  holiday_calendar: 'nothing',
  schedule: 'nothing',
  schedule_version: 'nothing',
  reason_code: 'nothing',
  skill: 'nothing',
  sla_policy: 'nothing',
  sla_policy_version: 'nothing',
  clock: 'cascade',
  staff_skill: 'nothing',
  channel: 'nothing',
  channel_member: 'nothing',
  workflow: 'nothing',
  workflow_version: 'nothing',
  workflow_version_rule: 'nothing',
  workflow_change: 'nothing',
  workflow_draft: 'nothing',
  service: 'nothing',
  mail_sender: 'nothing',
  service_grant: 'nothing',
  service_token: 'nothing',
  mailbox: 'nothing',
  mailbox_epoch: 'nothing',
  // Keyed hashes, and ids.
  mailbox_entry: 'nothing',
  message_template: 'nothing',
  form: 'nothing',
  article: 'nothing',
  file: 'nothing',
  location: 'nothing',
  canned_response: 'nothing',
  label: 'nothing',
  // Texts of staff.
  macro: 'nothing',
  // Ids, and words that staff look for.
  view: 'nothing',
  // Ids, and why nothing was done; texts of staff until a run has ended.
  bulk_run: 'nothing',
  bulk_item: 'nothing',
  // Of consumers the ids, and the names of fields that changed.
  audit_entry: 'nothing',
  audit_chain: 'nothing',
  audit_seal: 'nothing',
  webhook: 'nothing',
  webhook_partition: 'nothing',
  // Ids of events, which are erased.
  event_feed: 'nothing',
  feed_event: 'nothing',
  event_listener: 'nothing',
  event_gate: 'nothing',
  stream: 'nothing',
  installation: 'nothing',
  fence: 'nothing',
  server_secret: 'nothing',
  node: 'nothing',
  queue_subscriber: 'nothing',
  schema_migration: 'nothing',
}
