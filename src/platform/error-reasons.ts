import { IMPOSSIBLE_REASONS } from './impossible-reasons.js'

/** Code of a domain error, of which section 7 makes a status. */
export type ErrorCode =
  | 'BAD_USER_INPUT'
  | 'UNAUTHENTICATED'
  | 'TOKEN_EXPIRED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'UNPROCESSABLE'
  | 'PRECONDITION_FAILED'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'
  | 'INTERNAL_SERVER_ERROR'

/** Code of a request to `/graphql` that is refused before anything of it is executed. */
export type RequestErrorCode =
  | 'BAD_REQUEST'
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'OPERATION_RESOLUTION_FAILURE'
  | 'DOCUMENT_TOO_LARGE'

/**
 * Every reason of an error, by its code: what it means, and what a client does about it. The schema, the OpenAPI document and the
 * page `/docs/errors` are made of this table; a client tells errors apart by it, never by their messages.
 */
export const ERROR_REASONS = {
  INVALID_VALUE: ['BAD_USER_INPUT', 'The input at `field` is malformed, out of range or of the wrong type.'],
  MISSING_VALUE: ['BAD_USER_INPUT', 'The input lacks a required value: `field` is where it belongs.'],
  METHOD_NOT_ALLOWED: [
    'BAD_USER_INPUT',
    'The address has no such method; `Allow` and the message name those that it has.',
  ],
  PASSWORD_TOO_SHORT: [
    'BAD_USER_INPUT',
    'The sign-in policy of the organization asks for a password of `minLength` characters.',
  ],
  PASSWORD_COMMON: [
    'BAD_USER_INPUT',
    'The password is one that many use, or one part repeated, which guesses begin with: choose another.',
  ],
  PASSWORD_NAMES_USER: ['BAD_USER_INPUT', 'The password contains the name or the email of its user: choose another.'],
  MATCHES_NOTHING: ['BAD_USER_INPUT', 'The filter could match nothing: two of its conditions cannot both hold.'],
  UNKNOWN_FIELD: ['BAD_USER_INPUT', 'The input has a field that is not known there; the message names those that are.'],

  AUTHENTICATION_REQUIRED: ['UNAUTHENTICATED', 'The request has no credentials: send an access token or an API token.'],
  TOKEN_INVALID: [
    'UNAUTHENTICATED',
    'The token is malformed, forged or revoked, or its user is gone: sign in again, or use another API token.',
  ],
  TOKEN_EXPIRED: [
    'TOKEN_EXPIRED',
    'The access token is older than 24 hours: refresh it. An API token is older than the sign-in policy allows: rotate it. In GraphQL, the code is UNAUTHENTICATED.',
  ],
  REFRESH_REFUSED: [
    'UNAUTHENTICATED',
    'The refresh token is expired, spent, or of another user than `clientId`: sign in again.',
  ],
  WRONG_CREDENTIALS: [
    'UNAUTHENTICATED',
    'The email or the password is wrong. The same answer is given for unknown emails.',
  ],
  SECOND_FACTOR_REQUIRED: [
    'UNAUTHENTICATED',
    'The password is right, and the user has a second factor: repeat the request with `code`, by one of `methods`.',
  ],
  SECOND_FACTOR_WRONG: [
    'UNAUTHENTICATED',
    'The code of the second factor is wrong, too old, or was used, or the passkey is not accepted: repeat the request with the next one.',
  ],
  PASSKEY_REFUSED: [
    'UNAUTHENTICATED',
    'The passkey is not accepted. The same answer is given for one that nobody has, and for one that was removed.',
  ],
  PASSKEY_CHALLENGE_GONE: [
    'UNAUTHENTICATED',
    'The challenge that the passkey answers was used, is too old, or was made for something else: begin with new options.',
  ],
  PASSKEY_ORIGIN: ['UNAUTHENTICATED', 'The passkey was used on a page of another site than `PUBLIC_URL`.'],
  SESSION_ENDED: ['UNAUTHENTICATED', "The browser's session has ended: sign in again."],

  PERMISSION_MISSING: ['FORBIDDEN', 'The caller lacks the scope or the right; the message names what is needed.'],
  BOT_PAUSED: ['FORBIDDEN', 'The bot is paused: it may read, and nothing else, until somebody lets it go on.'],
  NO_GRANT: ['FORBIDDEN', 'The grants of the bot do not let it do `action` here: `mode` says how far it may go.'],
  BOT_MASKED: ['FORBIDDEN', 'For a bot with a `mask`: no token of a guest, and no `[email 1]` in records.'],
  PERSON_REQUIRED: [
    'FORBIDDEN',
    'Only people do this: they decide on what bots propose, and forward messages. The caller is a bot.',
  ],
  GUEST_REQUIRED: ['FORBIDDEN', 'Only a consumer may do this; the caller is a registered user.'],
  USER_REQUIRED: ['FORBIDDEN', 'Only registered users may do this; the caller is a guest.'],
  OWNER_REQUIRED: ['FORBIDDEN', 'Only an owner may make or change an owner, or say whom a provider of SAML is.'],
  CENTER_ADMIN_REQUIRED: ['FORBIDDEN', 'Only an administrator of the contact center may do this.'],
  SIGN_IN_REQUIRED: ['FORBIDDEN', 'An API token cannot do this: sign in with a password.'],
  OWN_ACCOUNT: ['FORBIDDEN', 'Users cannot delete themselves, nor change their own role, status or organization.'],
  WRONG_PASSWORD: ['FORBIDDEN', '`currentPassword` is not the current password.'],
  LINK_NEEDED: [
    'FORBIDDEN',
    'The account exists, and nothing proves that it is this person’s: sign in as before, and link the provider under Settings, Security.',
  ],
  NOT_PROVISIONED: [
    'FORBIDDEN',
    'The person has no account here, and the provider may not create one: an administrator adds the user, or a row of the role map.',
  ],
  SIGN_IN_NOT_BEGUN: [
    'FORBIDDEN',
    'The sign-in was not begun in this browser, was used, or is older than ten minutes: begin anew.',
  ],
  PROVIDER_REFUSED: ['FORBIDDEN', 'The provider refused to sign the person in; the message has its words.'],
  PROVIDER_ANSWER_INVALID: [
    'FORBIDDEN',
    'The answer is not of the provider that was asked, or not to this question: begin anew, and tell an administrator.',
  ],
  NETWORK_NOT_ALLOWED: [
    'FORBIDDEN',
    'The sign-in policy of the organization does not allow the address from which the request comes, which `network` names.',
  ],
  PASSWORD_LOGIN_OFF: [
    'FORBIDDEN',
    'People of the organization, or of the domain of the email, sign in by a provider only: begin there. It is said of every email of the domain.',
  ],
  ENROLMENT_REQUIRED: [
    'FORBIDDEN',
    'The sign-in policy asks for a second factor, and the time to enrol one is over: begin by `enrolAtSignIn`, and repeat the sign-in with `enrolment` and `code`.',
  ],
  CONTACT_BLOCKED: ['FORBIDDEN', 'The contact is blocked and cannot write.'],
  ORIGIN_NOT_ALLOWED: [
    'FORBIDDEN',
    'Pages of this origin may not call the server: name it in `ALLOWED_ORIGINS`, or in `allowedOrigins` of the web service.',
  ],
  SHARED_READ_ONLY: ['FORBIDDEN', 'The record is shared by another organization: it can only be read.'],
  SIGNATURE_INVALID: ['FORBIDDEN', 'The signature of an inbound request is missing or wrong.'],
  LINK_EXPIRED: ['FORBIDDEN', 'The link was valid for a time: request another.'],

  RECORD_NOT_FOUND: ['NOT_FOUND', 'There is no such record, or the caller may not know of it.'],
  MALFORMED_ID: [
    'NOT_FOUND',
    'No record can have this id, which is not a UUID: look for a mistake in how it was copied.',
  ],
  ROUTE_NOT_FOUND: ['NOT_FOUND', 'The server has no such address; `/api` names its interfaces.'],

  ...IMPOSSIBLE_REASONS,
  OTHER_VERSION: [
    'PRECONDITION_FAILED',
    'Somebody else changed the record since the version that you name: fetch it anew, and decide again.',
  ],
  STREAM_OFFSET: ['UNPROCESSABLE', 'The text does not begin where the stream ends: go on from its `length`.'],
  STREAM_ENDED: ['UNPROCESSABLE', 'The stream has ended, as `ending` says: nothing is added to it any more.'],
  STREAM_EMPTY: ['UNPROCESSABLE', 'Nothing was added to the stream: stop it instead.'],
  TOO_DEEP: [
    'UNPROCESSABLE',
    'Automations have answered each other too often: the next answer is refused until a person writes.',
  ],
  NOT_A_PARTICIPANT: ['UNPROCESSABLE', 'The user does not take part in the conversation.'],
  NO_CONTACT: ['UNPROCESSABLE', 'The conversation has no contact.'],
  TOUCHPOINT_UNAVAILABLE: [
    'UNPROCESSABLE',
    'The contact cannot be reached this way: an address or an active service is missing.',
  ],
  WINDOW_CLOSED: [
    'UNPROCESSABLE',
    'The provider takes answers for a time after the contact wrote, which is over: use a template or another touchpoint.',
  ],
  NOT_READ_AGAIN: ['UNPROCESSABLE', 'A mail of this state is not read again, or cannot be.'],
  NO_TEMPLATES: ['UNPROCESSABLE', 'The provider of a service of this type has no templates.'],
  TEMPLATE_NOT_APPROVED: [
    'UNPROCESSABLE',
    'The provider does not take the template now: choose another, or wait until it is `APPROVED`.',
  ],
  MISSING_TOUCHPOINT: ['UNPROCESSABLE', 'The first message of a conversation with a contact needs a `touchpoint`.'],
  SENT_BEFORE: ['UNPROCESSABLE', 'A message with this id was sent already and looks different, or is delayed.'],
  MESSAGE_DELETED: ['UNPROCESSABLE', 'The message with this id was deleted and is not sent again.'],
  ALREADY_SENT: [
    'UNPROCESSABLE',
    'The message is on its way or was sent: it can no longer be cancelled or sent anew this way.',
  ],
  FORWARDED: ['UNPROCESSABLE', 'The note forwarded a message by mail: answers lead to it, so it cannot be deleted.'],
  NOT_FORWARDED: [
    'UNPROCESSABLE',
    'The message is a command or the like, or has no content; one for the team alone is forwarded by `evenIfInternal` only.',
  ],
  DELIVERY_STATUS: ['UNPROCESSABLE', 'Only a delivery that failed, or that may not have arrived, can be repeated.'],
  STATUS_MOVE_IMPOSSIBLE: ['UNPROCESSABLE', 'A user cannot go from its status to this one.'],
  ID_TAKEN: ['UNPROCESSABLE', 'Another record has this id: choose another.'],
  NAME_TAKEN: ['UNPROCESSABLE', 'Another record of the organization has this name.'],
  EMAIL_TAKEN: ['UNPROCESSABLE', 'Another user has this email.'],
  ADDRESS_TAKEN: ['UNPROCESSABLE', 'Another service has this address.'],
  BOT_TAKEN: ['UNPROCESSABLE', 'Another service has this bot.'],
  ACCOUNT_TAKEN: ['UNPROCESSABLE', 'Another service that is in use has this page, account or number.'],
  ENDPOINT_TAKEN: ['UNPROCESSABLE', 'The push endpoint belongs to another browser.'],
  CONTACT_EXISTS: [
    'UNPROCESSABLE',
    'A contact with this email or telephone exists: `contact` and `conversation` name it.',
  ],
  LABEL_ARCHIVED: ['UNPROCESSABLE', 'The label is archived: it stays where it is, and is put on nothing more.'],
  BULK_ENDED: [
    'UNPROCESSABLE',
    'The bulk run was cancelled, or stood still for too long, before the turn of the conversation came.',
  ],
  MACRO_ARCHIVED: ['UNPROCESSABLE', 'The macro is archived: choose another one.'],
  MACRO_NOT_MEANT: ['UNPROCESSABLE', 'The macro is for conversations of other channels, or of another organization.'],
  STEP_GONE: [
    'UNPROCESSABLE',
    'The record that a step names is gone, or is of no use in this conversation: change the macro.',
  ],
  TARGETS_GONE: [
    'UNPROCESSABLE',
    'Rules name channels, users or skills that were deleted or archived since; `targets` lists them.',
  ],
  ON_HOLD: ['UNPROCESSABLE', 'A legal hold, `hold`, keeps it: release the hold first.'],
  RETENTION_EXISTS: [
    'UNPROCESSABLE',
    'The organization has a retention policy of this subject, `policy`: change that one.',
  ],
  RETENTION_ENDED: ['UNPROCESSABLE', 'The retention policy has ended, and erases nothing: make another one.'],
  CONFIRMATION_NEEDED: [
    'UNPROCESSABLE',
    'More than half of what there is, or more than is looked at, would be erased at once: `due` of `total`. Confirm it with `confirmed`.',
  ],
  IN_USE: ['UNPROCESSABLE', 'Other records need it: remove or change them first.'],
  TOO_MANY: ['UNPROCESSABLE', 'The maximum number of such records or parts is reached.'],
  TOO_LARGE: ['UNPROCESSABLE', 'The result would exceed a limit of size, which the message names.'],
  LEVEL_TOO_LOW: ['UNPROCESSABLE', 'Organizations have three levels: nothing can be below the third.'],
  UNKNOWN_CATEGORY: ['UNPROCESSABLE', 'The organization has no such category.'],
  FORM_NOT_ACTIVE: ['UNPROCESSABLE', 'The form is not active in the conversation: add it first.'],
  FORM_NOT_COMPLETED: ['UNPROCESSABLE', 'The form is not completed in the active category.'],
  IMPORT_IMPOSSIBLE: ['UNPROCESSABLE', 'The conversation cannot be imported; the message says why.'],
  WRONG_BUTTON: ['UNPROCESSABLE', 'A button of this type cannot be used so.'],
  NOT_A_BOT: ['UNPROCESSABLE', 'Only bots have API tokens.'],
  NO_PASSWORD: ['UNPROCESSABLE', 'Neither bots nor archived users choose a password by a link.'],
  LINK_INVALID: ['UNPROCESSABLE', 'The link was used, has expired, or is none.'],
  NO_MAIL_SERVER: ['UNPROCESSABLE', 'This server sends no mail: its operator sets `SMTP_URL`.'],
  OTHER_ADDRESS: ['UNPROCESSABLE', "A copy of a conversation goes to the contact's own email address only."],
  MANAGED_ELSEWHERE: [
    'UNPROCESSABLE',
    'The provider `service` provisions the user by SCIM, and `field` is its to change: change it there, or end the provisioning.',
  ],
  LAST_OWNER: ['UNPROCESSABLE', 'The organization would have no owner who can sign in: make another one first.'],
  IDENTITY_TAKEN: ['UNPROCESSABLE', 'The identity at the provider is linked to another user: unlink it there first.'],
  DOMAIN_TAKEN: ['UNPROCESSABLE', 'Another organization of the installation owns the domain.'],
  DOMAIN_UNPROVEN: ['UNPROCESSABLE', 'The DNS of the domain lacks the record: `name` and `value` say which.'],
  WOULD_LOCK_OUT: [
    'UNPROCESSABLE',
    'You could not sign in any more, or nobody of `organization` could: set up another way first.',
  ],
  STRICTER_ABOVE: [
    'UNPROCESSABLE',
    'An organization above has a stricter rule, `above`: this one would have no effect.',
  ],
  CODE_WRONG: ['UNPROCESSABLE', 'The code is wrong, has expired, or is of another address.'],
  SECOND_FACTOR_ENROLLED: [
    'UNPROCESSABLE',
    'The authenticator app, the passkey, or another second factor is enrolled already.',
  ],
  PASSKEY_INVALID: ['UNPROCESSABLE', 'The passkey is not accepted, as the message says: begin with new options.'],
  PASSKEYS_UNAVAILABLE: [
    'UNPROCESSABLE',
    'Browsers allow no passkeys at `PUBLIC_URL`: it must be https:// with a host name, or http://localhost.',
  ],
  SECOND_FACTOR_DEMANDED: [
    'UNPROCESSABLE',
    'The sign-in policy of the organization asks for a second factor: it stays.',
  ],
  NO_SECOND_FACTOR: ['UNPROCESSABLE', 'The user has no second factor, or cannot have one, as a bot.'],
  SENDER_UNPROVEN: ['UNPROCESSABLE', 'The DNS record that proves the sender cannot be found.'],
  MAIL_NOT_SET_UP: ['UNPROCESSABLE', 'The server sends no mail: its operator sets `SMTP_URL`.'],
  PUSH_NOT_SET_UP: [
    'UNPROCESSABLE',
    'The server notifies no browsers: its operator sets `PUBLIC_URL` with https, and `MAIL_FROM`.',
  ],
  NO_FEED: [
    'UNPROCESSABLE',
    'The organization keeps no events: create a service of type `feed`, which keeps those from then on.',
  ],
  EVENTS_GONE: [
    'UNPROCESSABLE',
    'Events after the cursor or the time have expired: begin anew with a later `since` (`keptSince`), or with neither. What is missing was missed.',
  ],
  CURSOR_UNKNOWN: [
    'UNPROCESSABLE',
    'The cursor is of another feed, or of one that was switched off and on, or of events that a restored database does not have: begin anew with `since`.',
  ],
  SERVICE_INACTIVE: ['UNPROCESSABLE', 'The service is inactive: activate it first.'],
  NOT_TESTABLE: ['UNPROCESSABLE', 'A service of this type cannot be tested.'],
  NOT_AUTHORIZABLE: ['UNPROCESSABLE', 'The service has no provider at which somebody could sign in for it.'],
  IDEMPOTENCY_KEY_REUSED: [
    'UNPROCESSABLE',
    'The idempotency key was used with another request: choose a new one for each request.',
  ],
  ANSWER_ERASED: [
    'UNPROCESSABLE',
    'The stored answer to this idempotency key was erased: a contact, conversation or message in it has been deleted.',
  ],
  ANSWER_TOO_LARGE: ['UNPROCESSABLE', 'The answer would be too large: ask for fewer records or fields.'],
  QUERY_TOO_LONG: ['UNPROCESSABLE', 'The query takes too long: ask for fewer records, or by other conditions.'],
  REPORT_TOO_LONG: ['UNPROCESSABLE', 'The report has too many lines: ask for a shorter span, or fewer dimensions.'],
  RULES_DIFFER: [
    'UNPROCESSABLE',
    'json-rules-engine evaluates the rules differently than this server, which is a mistake of the server: report it.',
  ],

  RATE_LIMIT: ['RATE_LIMITED', 'Too many requests: wait for `retryAfterSeconds`.'],
  BOT_IDENTICAL_LIMIT: [
    'RATE_LIMITED',
    'A bot may send 8 identical messages in a conversation within 3 minutes (section 8).',
  ],
  BOT_CONSECUTIVE_LIMIT: [
    'RATE_LIMITED',
    'A bot may send 20 messages in an hour until an agent or the contact replies (section 8).',
  ],
  BUDGET_SPENT: [
    'RATE_LIMITED',
    'The bot has spent its `budget` of `limit`. Unless others have the conversation, it is queued. Without `retryAfterSeconds`, waiting does not help.',
  ],

  STREAM_LIMIT: [
    'RATE_LIMITED',
    'Two streams are open in a conversation, 50 of a bot, 500 of a contact center, or 20 parts were added in a second.',
  ],

  TEMPORARILY_UNAVAILABLE: [
    'UNAVAILABLE',
    'The server or a dependency is away, and nothing was written: repeat after `retryAfterSeconds`.',
  ],
  PROVIDER_UNAVAILABLE: [
    'UNAVAILABLE',
    'The provider cannot be reached, or does not answer as it should: try again, or sign in another way.',
  ],
  OUTCOME_UNKNOWN: [
    'UNAVAILABLE',
    'The write may have happened: look before you repeat it, or repeat it with its idempotency key.',
  ],
  INTERNAL_ERROR: ['INTERNAL_SERVER_ERROR', 'A mistake of the server, logged under `requestId`.'],

  REQUEST_MALFORMED: [
    'BAD_REQUEST',
    'The request is not one operation as GraphQL over HTTP defines it: POST a JSON object with `query`, a text, and `variables`, an object; GET is for queries.',
  ],
  DOCUMENT_MISSING: [
    'PERSISTED_QUERY_NOT_SUPPORTED',
    'The request has the hash of a document in place of the document: send the document, as Apollo Client then does.',
  ],
  DOCUMENT_SYNTAX: [
    'GRAPHQL_PARSE_FAILED',
    'The document is not valid GraphQL: `locations` names the line and the column from which it cannot be read.',
  ],
  DOCUMENT_INVALID: [
    'GRAPHQL_VALIDATION_FAILED',
    'The document asks for what the schema does not have, or leaves out what it requires: the message says what, `/schema.graphql` has the schema.',
  ],
  OPERATION_UNKNOWN: [
    'OPERATION_RESOLUTION_FAILURE',
    'The document has no operation of this name, or has several and `operationName` names none.',
  ],
  DOCUMENT_TOO_LARGE: [
    'DOCUMENT_TOO_LARGE',
    'The document, or what it may return, exceeds a limit of one request, which the message names: ask for less, or in several requests.',
  ],
} as const satisfies Readonly<Record<string, readonly [ErrorCode | RequestErrorCode, string]>>

export type ErrorReason = keyof typeof ERROR_REASONS

/** The reason of an error that names none. */
export const GENERAL_REASON: Readonly<Record<ErrorCode | RequestErrorCode, ErrorReason>> = {
  BAD_USER_INPUT: 'INVALID_VALUE',
  UNAUTHENTICATED: 'AUTHENTICATION_REQUIRED',
  TOKEN_EXPIRED: 'TOKEN_EXPIRED',
  FORBIDDEN: 'PERMISSION_MISSING',
  NOT_FOUND: 'RECORD_NOT_FOUND',
  UNPROCESSABLE: 'CONFLICT',
  PRECONDITION_FAILED: 'OTHER_VERSION',
  RATE_LIMITED: 'RATE_LIMIT',
  UNAVAILABLE: 'TEMPORARILY_UNAVAILABLE',
  INTERNAL_SERVER_ERROR: 'INTERNAL_ERROR',
  BAD_REQUEST: 'REQUEST_MALFORMED',
  PERSISTED_QUERY_NOT_SUPPORTED: 'DOCUMENT_MISSING',
  GRAPHQL_PARSE_FAILED: 'DOCUMENT_SYNTAX',
  GRAPHQL_VALIDATION_FAILED: 'DOCUMENT_INVALID',
  OPERATION_RESOLUTION_FAILURE: 'OPERATION_UNKNOWN',
  DOCUMENT_TOO_LARGE: 'DOCUMENT_TOO_LARGE',
}

/** Path of the page that explains all reasons; each has a section of its own. */
export const ERRORS_PAGE = '/docs/errors'

/** Returns where a reason is explained. */
export function docsOf(reason: ErrorReason): string {
  return `${ERRORS_PAGE}#${reason}`
}
