import { defineJob } from '../../platform/jobs/job-type.js'

/** Fetches a service's templates from its provider. */
export const TEMPLATE_SYNC = defineJob<{ service: string }>('template.sync', { service: 'string' })
