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

export type CreateSkillInput = {
  name: string;
  organization?: string | null | undefined;
};

export type Touchpoint =
  | 'EMAIL'
  | 'MESSENGER'
  | 'SMS'
  | 'WEB';

export type UpdateSkillInput = {
  name?: string | null | undefined;
};

export type UpdateStaffInput = {
  capacity?: number | null | undefined;
  skills?: Array<string> | null | undefined;
};

export type OwnStateFragment = { availability: Availability, reason: string | null, since: string | null, capacity: number, load: number };

export type OwnStateQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnStateQuery = { agentState: { availability: Availability, reason: string | null, since: string | null, capacity: number, load: number } };

export type SetAvailabilityMutationVariables = Exact<{
  availability: Availability;
  reason?: string | null | undefined;
}>;


export type SetAvailabilityMutation = { setAvailability: { availability: Availability, reason: string | null, since: string | null, capacity: number, load: number } };

export type StaffRowFragment = { userId: string, availability: Availability, capacity: number, load: number, skills: Array<{ id: string, name: string }>, user: { displayName: string } | null };

export type AdminStaffQueryVariables = Exact<{
  channels?: Array<string> | null | undefined;
}>;


export type AdminStaffQuery = { agentStates: Array<{ userId: string, availability: Availability, capacity: number, load: number, skills: Array<{ id: string, name: string }>, user: { displayName: string } | null }> };

export type AdminSkillsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AdminSkillsQuery = { skills: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, name: string, organizationId: string } }> } };

export type UpdateStaffMutationVariables = Exact<{
  user: string;
  patch: UpdateStaffInput;
}>;


export type UpdateStaffMutation = { updateStaff: { userId: string, availability: Availability, capacity: number, load: number, skills: Array<{ id: string, name: string }>, user: { displayName: string } | null } };

export type CreateSkillMutationVariables = Exact<{
  input: CreateSkillInput;
}>;


export type CreateSkillMutation = { createSkill: { id: string } };

export type UpdateSkillMutationVariables = Exact<{
  id: string;
  patch: UpdateSkillInput;
}>;


export type UpdateSkillMutation = { updateSkill: { id: string } };

export type DeleteSkillMutationVariables = Exact<{
  id: string;
}>;


export type DeleteSkillMutation = { deleteSkill: string };

export type PendingOffersQueryVariables = Exact<{ [key: string]: never; }>;


export type PendingOffersQuery = { offers: Array<{ id: string, conversationId: string, until: string, conversation: { touchpoint: Touchpoint | null, preview: string | null, category: string | null, contact: { profile: { name: string | null } } | null } | null }> };

export type DeclineOfferMutationVariables = Exact<{
  offer: string;
}>;


export type DeclineOfferMutation = { declineOffer: { id: string } };

export const OwnStateDocument = "query OwnState{agentState{...OwnState}}fragment OwnState on AgentState{availability reason since capacity load}" as TypedDocument<OwnStateQuery, OwnStateQueryVariables>

export const SetAvailabilityDocument = "mutation SetAvailability($availability:Availability!$reason:String){setAvailability(availability:$availability reason:$reason){...OwnState}}fragment OwnState on AgentState{availability reason since capacity load}" as TypedDocument<SetAvailabilityMutation, SetAvailabilityMutationVariables>

export const AdminStaffDocument = "query AdminStaff($channels:[ID!]){agentStates(channels:$channels){...StaffRow}}fragment StaffRow on AgentState{userId availability capacity load skills{id name}user{displayName}}" as TypedDocument<AdminStaffQuery, AdminStaffQueryVariables>

export const AdminSkillsDocument = "query AdminSkills($after:String){skills(first:100 after:$after orderBy:[{field:NAME}]){pageInfo{hasNextPage endCursor}edges{node{id name organizationId}}}}" as TypedDocument<AdminSkillsQuery, AdminSkillsQueryVariables>

export const UpdateStaffDocument = "mutation UpdateStaff($user:ID!$patch:UpdateStaffInput!){updateStaff(user:$user patch:$patch){...StaffRow}}fragment StaffRow on AgentState{userId availability capacity load skills{id name}user{displayName}}" as TypedDocument<UpdateStaffMutation, UpdateStaffMutationVariables>

export const CreateSkillDocument = "mutation CreateSkill($input:CreateSkillInput!){createSkill(input:$input){id}}" as TypedDocument<CreateSkillMutation, CreateSkillMutationVariables>

export const UpdateSkillDocument = "mutation UpdateSkill($id:ID!$patch:UpdateSkillInput!){updateSkill(id:$id patch:$patch){id}}" as TypedDocument<UpdateSkillMutation, UpdateSkillMutationVariables>

export const DeleteSkillDocument = "mutation DeleteSkill($id:ID!){deleteSkill(id:$id)}" as TypedDocument<DeleteSkillMutation, DeleteSkillMutationVariables>

export const PendingOffersDocument = "query PendingOffers{offers{id conversationId until conversation{contact{profile{name}}touchpoint preview category}}}" as TypedDocument<PendingOffersQuery, PendingOffersQueryVariables>

export const DeclineOfferDocument = "mutation DeclineOffer($offer:ID!){declineOffer(offer:$offer){id}}" as TypedDocument<DeclineOfferMutation, DeclineOfferMutationVariables>
