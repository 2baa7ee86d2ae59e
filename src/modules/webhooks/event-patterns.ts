/**
 * SQL: whether the event name matches one of the row's patterns, in which `*` stands for any text, including dots
 * (`message.create.*`, `*.update`). The row's column `events` is null for all events.
 */
export const namesEventSql = (alias: string, event: string): string => `(${alias}.events is null or exists (
  select 1 from unnest(${alias}.events) as pattern
  where ${event} like replace(replace(pattern, '_', '\\_'), '*', '%')))`

/** Letters, digits, dots, `_`, `-` and `*`. */
export const EVENT_PATTERN = /^[A-Za-z*][\w.*-]*$/
