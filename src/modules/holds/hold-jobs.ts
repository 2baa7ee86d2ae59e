import { defineJob } from '../../platform/jobs/job-type.js'

/**
 * A hold was made or released. Handled by `privacy/`: what is kept of messages is told by the holds that are left, and erasures
 * that none of them blocks go on.
 */
export const HOLD_CHANGED = defineJob<{ center: string }>('hold.changed', { center: 'string' })
