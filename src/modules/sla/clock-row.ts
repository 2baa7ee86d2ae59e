import type { SlaClock, SlaState } from './sla-clock.js'

/** A clock as a row of `clock`, which is the history of all clocks of a conversation. */
export interface ClockRow {
  conversationId: string
  nth: number
  kind: string
  org1: string
  policyId: string
  policyVersion: number
  scheduleVersion: number | null
  state: string
  startedAt: Date
  usedMs: number
  dueAt: Date | null
  warnedAt: Date | null
  breachedAt: Date | null
  endedAt: Date | null
}

export function clockRow(conversation: { id: string; org1: string }, state: SlaState, clock: SlaClock): ClockRow {
  const { policy: policyId, version: policyVersion, scheduleVersion } = state.choice
  const { kind, nth, usedMs } = clock
  const time = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))
  return {
    conversationId: conversation.id,
    nth,
    kind,
    org1: conversation.org1,
    policyId,
    policyVersion,
    scheduleVersion,
    state: clock.state,
    startedAt: new Date(clock.startedAt),
    usedMs,
    dueAt: time(clock.dueAt),
    warnedAt: time(clock.warnedAt),
    breachedAt: time(clock.breachedAt),
    endedAt: time(clock.endedAt),
  }
}

export const CLOCK_COLUMNS = `conversation_id, nth, kind, org1, policy_id, policy_version, schedule_version, state, started_at, used_ms,
  due_at, warned_at, breached_at, ended_at`

export const UPSERT_CLOCKS = `insert into clock (${CLOCK_COLUMNS})
  select x."conversationId", x.nth, x.kind, x.org1, x."policyId", x."policyVersion", x."scheduleVersion", x.state,
    x."startedAt", x."usedMs", x."dueAt", x."warnedAt", x."breachedAt", x."endedAt"
  from jsonb_to_recordset($1::jsonb) as x("conversationId" uuid, nth int, kind text, org1 uuid, "policyId" uuid,
    "policyVersion" int, "scheduleVersion" int, state text, "startedAt" timestamptz, "usedMs" bigint, "dueAt" timestamptz,
    "warnedAt" timestamptz, "breachedAt" timestamptz, "endedAt" timestamptz)
  on conflict (conversation_id, nth, kind) do update set policy_id = excluded.policy_id,
    policy_version = excluded.policy_version, schedule_version = excluded.schedule_version, state = excluded.state,
    used_ms = excluded.used_ms, due_at = excluded.due_at, warned_at = excluded.warned_at,
    breached_at = excluded.breached_at, ended_at = excluded.ended_at`
