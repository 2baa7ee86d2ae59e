import { defineJob } from '../../platform/jobs/job-type.js'

/**
 * Job: the availability, capacity or skills of the user changed: offers are withdrawn or become possible. Registered by
 * the module that makes offers.
 */
export const STAFF_CHANGED = defineJob<{ user: string }>('staffing.changed', { user: 'string' })
