/**
 * A name of an event, or the beginning of names followed by `*` (`message.create.*`): what it does not name is not
 * told. For the database, over an alias of a row with a column `events` that is null for all.
 */
export const namesEventSql = (alias: string, event: string): string => `(${alias}.events is null or exists (
  select 1 from unnest(${alias}.events) as pattern
  where pattern = ${event} or (right(pattern, 1) = '*' and starts_with(${event}, left(pattern, -1)))))`

/** Letters, digits, dots, `_` and `-`, then perhaps one `*`. */
export const EVENT_PATTERN = /^(?:[A-Za-z][\w.-]*\*?|\*)$/
