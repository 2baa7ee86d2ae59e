// Made by web/generate.mjs of schema.graphql and the documents: do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocument } from '@switchboard/client'
export type ClockKind =
  | 'FIRST_RESPONSE'
  | 'NEXT_RESPONSE'
  | 'QUEUE'
  | 'RESOLUTION';

export type CreateScheduleInput = {
  exceptions?: Array<ScheduleExceptionInput> | null | undefined;
  name: string;
  organization?: string | null | undefined;
  spans?: Array<OpeningHoursInput> | null | undefined;
  text?: string | null | undefined;
  timezone: string;
};

export type CreateSlaPolicyInput = {
  conditions?: Record<string, unknown> | null | undefined;
  name: string;
  organization?: string | null | undefined;
  position?: number | null | undefined;
  schedule?: string | null | undefined;
  targets: Array<SlaTargetInput>;
};

export type DayOfWeek =
  | 'FRI'
  | 'MON'
  | 'SAT'
  | 'SUN'
  | 'THU'
  | 'TUE'
  | 'WED';

export type DayTimesInput = {
  closes: string;
  opens: string;
};

export type OpeningHoursInput = {
  closes: string;
  days: Array<DayOfWeek>;
  opens: string;
};

export type ScheduleExceptionInput = {
  firstDay: string;
  lastDay?: string | null | undefined;
  name?: string | null | undefined;
  spans?: Array<DayTimesInput> | null | undefined;
};

export type SlaTargetInput = {
  clock: ClockKind;
  minutes: number;
  warnMinutes?: number | null | undefined;
};

export type UpdateScheduleInput = {
  exceptions?: Array<ScheduleExceptionInput> | null | undefined;
  name?: string | null | undefined;
  spans?: Array<OpeningHoursInput> | null | undefined;
  text?: string | null | undefined;
  timezone?: string | null | undefined;
};

export type UpdateSlaPolicyInput = {
  conditions?: Record<string, unknown> | null | undefined;
  name?: string | null | undefined;
  position?: number | null | undefined;
  schedule?: string | null | undefined;
  targets?: Array<SlaTargetInput> | null | undefined;
};

export type ScheduleRowFragment = { id: string, organizationId: string, name: string, timezone: string, isOpen: boolean, text: string | null, spans: Array<{ days: Array<DayOfWeek>, opens: string, closes: string }>, exceptions: Array<{ firstDay: string, lastDay: string, name: string | null, spans: Array<{ opens: string, closes: string }> }> };

export type AdminSchedulesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AdminSchedulesQuery = { schedules: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, organizationId: string, name: string, timezone: string, isOpen: boolean, text: string | null, spans: Array<{ days: Array<DayOfWeek>, opens: string, closes: string }>, exceptions: Array<{ firstDay: string, lastDay: string, name: string | null, spans: Array<{ opens: string, closes: string }> }> } }> } };

export type ScheduleYearQueryVariables = Exact<{
  id: string;
  year: number;
}>;


export type ScheduleYearQuery = { schedule: { id: string, days: Array<{ date: string, isException: boolean, name: string | null, spans: Array<{ opens: string, closes: string }> }> } | null };

export type CreateScheduleMutationVariables = Exact<{
  input: CreateScheduleInput;
}>;


export type CreateScheduleMutation = { createSchedule: { id: string } };

export type UpdateScheduleMutationVariables = Exact<{
  id: string;
  patch: UpdateScheduleInput;
}>;


export type UpdateScheduleMutation = { updateSchedule: { id: string } };

export type DeleteScheduleMutationVariables = Exact<{
  id: string;
}>;


export type DeleteScheduleMutation = { deleteSchedule: string };

export type AdminSlaPoliciesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AdminSlaPoliciesQuery = { slaPolicies: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, organizationId: string, name: string, position: number, conditions: Record<string, unknown>, scheduleId: string | null, schedule: { id: string, name: string } | null, targets: Array<{ clock: ClockKind, minutes: number, warnMinutes: number | null }> } }> } };

export type CreateSlaPolicyMutationVariables = Exact<{
  input: CreateSlaPolicyInput;
}>;


export type CreateSlaPolicyMutation = { createSlaPolicy: { id: string } };

export type UpdateSlaPolicyMutationVariables = Exact<{
  id: string;
  patch: UpdateSlaPolicyInput;
}>;


export type UpdateSlaPolicyMutation = { updateSlaPolicy: { id: string } };

export type DeleteSlaPolicyMutationVariables = Exact<{
  id: string;
}>;


export type DeleteSlaPolicyMutation = { deleteSlaPolicy: string };

export const AdminSchedulesDocument = "query AdminSchedules($after:String){schedules(first:100 after:$after orderBy:[{field:NAME}]){pageInfo{hasNextPage endCursor}edges{node{...ScheduleRow}}}}fragment ScheduleRow on Schedule{id organizationId name timezone isOpen text spans{days opens closes}exceptions{firstDay lastDay name spans{opens closes}}}" as TypedDocument<AdminSchedulesQuery, AdminSchedulesQueryVariables>

export const ScheduleYearDocument = "query ScheduleYear($id:ID!$year:Int!){schedule(id:$id){id days(year:$year){date spans{opens closes}isException name}}}" as TypedDocument<ScheduleYearQuery, ScheduleYearQueryVariables>

export const CreateScheduleDocument = "mutation CreateSchedule($input:CreateScheduleInput!){createSchedule(input:$input){id}}" as TypedDocument<CreateScheduleMutation, CreateScheduleMutationVariables>

export const UpdateScheduleDocument = "mutation UpdateSchedule($id:ID!$patch:UpdateScheduleInput!){updateSchedule(id:$id patch:$patch){id}}" as TypedDocument<UpdateScheduleMutation, UpdateScheduleMutationVariables>

export const DeleteScheduleDocument = "mutation DeleteSchedule($id:ID!){deleteSchedule(id:$id)}" as TypedDocument<DeleteScheduleMutation, DeleteScheduleMutationVariables>

export const AdminSlaPoliciesDocument = "query AdminSlaPolicies($after:String){slaPolicies(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{id organizationId name position conditions scheduleId schedule{id name}targets{clock minutes warnMinutes}}}}}" as TypedDocument<AdminSlaPoliciesQuery, AdminSlaPoliciesQueryVariables>

export const CreateSlaPolicyDocument = "mutation CreateSlaPolicy($input:CreateSlaPolicyInput!){createSlaPolicy(input:$input){id}}" as TypedDocument<CreateSlaPolicyMutation, CreateSlaPolicyMutationVariables>

export const UpdateSlaPolicyDocument = "mutation UpdateSlaPolicy($id:ID!$patch:UpdateSlaPolicyInput!){updateSlaPolicy(id:$id patch:$patch){id}}" as TypedDocument<UpdateSlaPolicyMutation, UpdateSlaPolicyMutationVariables>

export const DeleteSlaPolicyDocument = "mutation DeleteSlaPolicy($id:ID!){deleteSlaPolicy(id:$id)}" as TypedDocument<DeleteSlaPolicyMutation, DeleteSlaPolicyMutationVariables>
