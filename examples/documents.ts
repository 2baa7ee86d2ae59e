import type { TypedDocument } from '@switchboard/client'
import type { RoutingTrace } from './routing-in-words.js'

/** Operations of the examples that the package has no documents for. Paste any of them into the page at `/graphql`. */

type Created<Name extends string, Record> = TypedDocument<{ [field in Name]: Record }, { input: object }>

export const CREATE_ORGANIZATION = `mutation ($input: CreateOrganizationInput!) {
  createOrganization(input: $input) { id }
}` as Created<'createOrganization', { id: string }>

export const UPDATE_ORGANIZATION = `mutation ($id: ID!, $patch: UpdateOrganizationInput!) {
  updateOrganization(id: $id, patch: $patch) { id }
}` as TypedDocument<{ updateOrganization: { id: string } }, { id: string; patch: object }>

/** `apiToken` of a user with the role bot, which is shown once. */
export const CREATE_USER = `mutation ($input: CreateUserInput!) {
  createUser(input: $input) { id email apiToken }
}` as Created<'createUser', { id: string; email: string; apiToken: string | null }>

export const CREATE_CHANNEL = `mutation ($input: CreateChannelInput!) {
  createChannel(input: $input) { id }
}` as Created<'createChannel', { id: string }>

export const CREATE_FORM = `mutation ($input: CreateFormInput!) {
  createForm(input: $input) { id }
}` as Created<'createForm', { id: string }>

export const CREATE_WORKFLOW = `mutation ($input: CreateWorkflowInput!) {
  createWorkflow(input: $input) { id }
}` as Created<'createWorkflow', { id: string }>

export const CREATE_SERVICE = `mutation ($input: CreateServiceInput!) {
  createService(input: $input) { id }
}` as Created<'createService', { id: string }>

export const ROUTING_TRACE = `query ($conversation: ID!) {
  conversation(id: $conversation) {
    routingTrace {
      trigger
      entries {
        rule { name } outcome reason delaySeconds channelsNotified
        conditions { kind fact path operator value factValue result }
      }
    }
  }
}` as TypedDocument<{ conversation: { routingTrace: RoutingTrace[] } | null }, { conversation: string }>
