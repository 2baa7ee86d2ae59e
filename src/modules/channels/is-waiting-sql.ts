/**
 * SQL condition: whether a row of `conversation` is in the queue of a channel, because it is queued, or because
 * `/notify` assigned it to a channel as a task. The indexes of both channel columns have the same
 * condition.
 */
export const isWaitingSql = (alias: string): string => `(${alias}.status = 'queued' or ${alias}.task_channels <> '{}')`
