import type { Slot } from '../../lists/filters.js'

/** Matches the generated column of migration 0008. @param sql column with the slot of a conversation's last message */
export const lastMessageSlot = (sql: string): Slot => ({
  sql,
  of: (parameter) => `date_bin('10 minutes', ${parameter}::timestamptz, 'epoch')`,
})
