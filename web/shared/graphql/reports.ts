// Made by web/generate.mjs of schema.graphql and the documents: do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocument } from '@switchboard/client'
export type ReportDimension =
  | 'CATEGORY'
  | 'CHANNEL'
  | 'DAY'
  | 'HOUR'
  | 'MONTH'
  | 'ORGANIZATION'
  | 'TOUCHPOINT'
  | 'USER'
  | 'WEEK';

export type ReportFilter = {
  categories?: Array<string> | null | undefined;
  channels?: Array<string> | null | undefined;
  organizations?: Array<string> | null | undefined;
  touchpoints?: Array<Touchpoint> | null | undefined;
  users?: Array<string> | null | undefined;
};

export type ReportMetric =
  | 'ABANDONED'
  | 'ACCEPTED'
  | 'AGENT_TURNS'
  | 'AVAILABLE_TIME'
  | 'AWAY_TIME'
  | 'BUSY_TIME'
  | 'CATEGORISED'
  | 'CLOSED'
  | 'CONSUMER_TURNS'
  | 'CREATED'
  | 'DELETED'
  | 'FIRST_RESPONSE_SLA_BREACHED'
  | 'FIRST_RESPONSE_SLA_MET'
  | 'FIRST_RESPONSE_SLA_OVERRUN'
  | 'FIRST_RESPONSE_TIME'
  | 'HANDLE_TIME'
  | 'MERGED'
  | 'NEXT_RESPONSE_SLA_BREACHED'
  | 'NEXT_RESPONSE_SLA_MET'
  | 'NEXT_RESPONSE_SLA_OVERRUN'
  | 'NOTIFIED'
  | 'NOT_RESPONDING_TIME'
  | 'OFFERS_ACCEPTED'
  | 'OFFERS_DECLINED'
  | 'OFFERS_EXPIRED'
  | 'OFFERS_MADE'
  | 'OFFERS_WITHDRAWN'
  | 'OFFER_ANSWER_TIME'
  | 'QUEUED'
  | 'QUEUE_SLA_BREACHED'
  | 'QUEUE_SLA_MET'
  | 'QUEUE_SLA_OVERRUN'
  | 'RESOLUTION_SLA_BREACHED'
  | 'RESOLUTION_SLA_MET'
  | 'RESOLUTION_SLA_OVERRUN'
  | 'RESOLUTION_TIME'
  | 'RESPONSE_TIME'
  | 'WAIT_TIME';

export type Touchpoint =
  | 'EMAIL'
  | 'MESSENGER'
  | 'SMS'
  | 'WEB';

export type ReportQueryVariables = Exact<{
  metrics: Array<ReportMetric>;
  by?: Array<ReportDimension> | null | undefined;
  from: string;
  to: string;
  timezone?: string | null | undefined;
  filter?: ReportFilter | null | undefined;
}>;


export type ReportQuery = { report: { lines: Array<{ start: string | null, touchpoint: Touchpoint | null, category: string | null, channel: { id: string, name: string | null } | null, user: { id: string, name: string | null } | null, organization: { id: string, name: string | null } | null, values: Array<{ metric: ReportMetric, count: number, averageMs: number | null, totalMs: number | null, p90Ms: number | null, share: number | null }> }>, totals: Array<{ metric: ReportMetric, count: number, averageMs: number | null, totalMs: number | null, p90Ms: number | null, share: number | null }> } };

export type ReportCsvQueryVariables = Exact<{
  metrics: Array<ReportMetric>;
  by?: Array<ReportDimension> | null | undefined;
  from: string;
  to: string;
  timezone?: string | null | undefined;
  filter?: ReportFilter | null | undefined;
}>;


export type ReportCsvQuery = { report: { csv: string } };

export type ReportRowsQueryVariables = Exact<{
  metric: ReportMetric;
  from: string;
  to: string;
  filter?: ReportFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type ReportRowsQuery = { reportRows: { totalCount: number, edges: Array<{ node: { conversationId: string, at: string, ms: number | null, touchpoint: Touchpoint | null, conversation: { name: string, slug: string } | null, user: { displayName: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export const ReportDocument = "query Report($metrics:[ReportMetric!]!$by:[ReportDimension!]$from:DateTime!$to:DateTime!$timezone:String$filter:ReportFilter){report(metrics:$metrics by:$by from:$from to:$to timezone:$timezone filter:$filter){lines{start touchpoint category channel{id name}user{id name}organization{id name}values{metric count averageMs totalMs p90Ms share}}totals{metric count averageMs totalMs p90Ms share}}}" as TypedDocument<ReportQuery, ReportQueryVariables>

export const ReportCsvDocument = "query ReportCsv($metrics:[ReportMetric!]!$by:[ReportDimension!]$from:DateTime!$to:DateTime!$timezone:String$filter:ReportFilter){report(metrics:$metrics by:$by from:$from to:$to timezone:$timezone filter:$filter){csv}}" as TypedDocument<ReportCsvQuery, ReportCsvQueryVariables>

export const ReportRowsDocument = "query ReportRows($metric:ReportMetric!$from:DateTime!$to:DateTime!$filter:ReportFilter$after:String){reportRows(metric:$metric from:$from to:$to filter:$filter first:30 after:$after){totalCount edges{node{conversationId at ms touchpoint conversation{name slug}user{displayName}}}pageInfo{hasNextPage endCursor}}}" as TypedDocument<ReportRowsQuery, ReportRowsQueryVariables>
