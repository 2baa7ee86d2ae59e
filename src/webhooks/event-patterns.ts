/**
 * A name of an event, in which `*` stands for any text, dots too (`message.create.*`, `*.update`): what it does not
 * name is not told. For the database, over an alias of a row with a column `events` that is null for all.
 */
export const namesEventSql = (alias: string, event: string): string => `(${alias}.events is null or exists (
  select 1 from unnest(${alias}.events) as pattern
  where ${event} like replace(replace(pattern, '_', '\\_'), '*', '%')))`

/** Letters, digits, dots, `_`, `-` and `*`. */
export const EVENT_PATTERN = /^[A-Za-z*][\w.*-]*$/
