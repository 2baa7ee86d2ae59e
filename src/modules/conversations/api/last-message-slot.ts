import type { Slot } from '../../../platform/lists/filters.js'

/** Matches the generated column `last_message_slot`. @param sql column with the slot of a conversation's last message */
export const lastMessageSlot = (sql: string): Slot => ({
  sql,
  of: (parameter) => `date_bin('10 minutes', ${parameter}::timestamptz, 'epoch')`,
})
