/** Interval in which a node renews its row. */
export const HEARTBEAT_MS = 2_500
/** A node that has not renewed its row for this long counts as dead, and its presence is ignored. */
export const DEAD_AFTER_SECONDS = 10
/** A subscriber whose connection was lost counts for this long: most come back, here or on another node. */
export const GRACE_MS = 5_000
