// Made by web/generate.mjs of schema.graphql and the documents: do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocument } from '@switchboard/client'
export type Availability =
  | 'AVAILABLE'
  | 'AWAY'
  | 'BUSY'
  | 'NOT_RESPONDING'
  | 'OFFLINE';

export type WallboardSubscriptionVariables = Exact<{
  channels?: Array<string> | null | undefined;
  after?: string | null | undefined;
}>;


export type WallboardSubscription = { wallboard: { __typename: 'WallboardSnapshot', cursor: string, at: string, waiting: number, waitingSince: string | null, active: number, atRisk: number, breached: number, overdueSince: string | null, channels: Array<{ id: string, name: string, isOnline: boolean, waiting: number, waitingSince: string | null, active: number, atRisk: number, breached: number }>, agents: Array<{ id: string, name: string, isOnline: boolean, availability: Availability, active: number }> } };

export const WallboardDocument = "subscription Wallboard($channels:[ID!]$after:String){wallboard(channels:$channels after:$after){__typename cursor at waiting waitingSince active atRisk breached overdueSince channels{id name isOnline waiting waitingSince active atRisk breached}agents{id name isOnline availability active}}}" as TypedDocument<WallboardSubscription, WallboardSubscriptionVariables>
