/**
 * Whether a row of `conversation` is in the queue of a channel: it is queued, or `/notify` gave it to one as a task. The
 * indexes of both channel columns have the same condition (migration 0016).
 */
export const isWaitingSql = (alias: string): string => `(${alias}.status = 'queued' or ${alias}.task_channels <> '{}')`
