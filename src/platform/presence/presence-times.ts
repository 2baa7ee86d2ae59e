/** Interval in which a node renews its row. */
export const HEARTBEAT_MS = 2_500
/** A node that has not renewed its row for this long counts as dead, and its presence is ignored. */
export const DEAD_AFTER_SECONDS = 10
/** A subscriber whose connection was lost counts for this long: most come back, here or on another node. */
export const GRACE_MS = 5_000
/**
 * After a failover or a crash of PostgreSQL, which empties the unlogged tables of the presence, and after an outage in which
 * all nodes counted as dead, each node registers again by its next heartbeat: nobody is believed to be offline while a node
 * does so, and until this long after it has.
 */
export const PRESENCE_COMPLETE_MS = HEARTBEAT_MS + 500
