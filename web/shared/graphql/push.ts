// Made by web/generate.mjs of schema.graphql and the documents: do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocument } from '@switchboard/client'
export type PushSubscriptionInput = {
  auth: string;
  endpoint: string;
  p256dh: string;
};

export type PushKeyQueryVariables = Exact<{ [key: string]: never; }>;


export type PushKeyQuery = { pushKey: string };

export type SubscribeToPushMutationVariables = Exact<{
  input: PushSubscriptionInput;
}>;


export type SubscribeToPushMutation = { subscribeToPush: { id: string } };

export type UnsubscribeFromPushMutationVariables = Exact<{
  endpoint: string;
}>;


export type UnsubscribeFromPushMutation = { unsubscribeFromPush: boolean };

export type PushSubscriptionsQueryVariables = Exact<{ [key: string]: never; }>;


export type PushSubscriptionsQuery = { pushSubscriptions: Array<{ id: string }> };

export const PushKeyDocument = "query PushKey{pushKey}" as TypedDocument<PushKeyQuery, PushKeyQueryVariables>

export const SubscribeToPushDocument = "mutation SubscribeToPush($input:PushSubscriptionInput!){subscribeToPush(input:$input){id}}" as TypedDocument<SubscribeToPushMutation, SubscribeToPushMutationVariables>

export const UnsubscribeFromPushDocument = "mutation UnsubscribeFromPush($endpoint:String!){unsubscribeFromPush(endpoint:$endpoint)}" as TypedDocument<UnsubscribeFromPushMutation, UnsubscribeFromPushMutationVariables>

export const PushSubscriptionsDocument = "query PushSubscriptions{pushSubscriptions{id}}" as TypedDocument<PushSubscriptionsQuery, PushSubscriptionsQueryVariables>
