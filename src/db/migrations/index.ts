import { InitialSchema } from './0001-initial-schema.js'
import { SharedResources } from './0002-shared-resources.js'
import { Search } from './0003-search.js'
import { Webhooks } from './0004-webhooks.js'
import { FormResults } from './0005-form-results.js'
import { MergeSuggestions } from './0006-merge-suggestions.js'
import { Touchpoints } from './0007-touchpoints.js'
import { ListOrders } from './0008-list-orders.js'
import { ProviderDeliveries } from './0009-provider-deliveries.js'
import { EventGate } from './0010-event-gate.js'
import { JobLanes } from './0011-job-lanes.js'
import { EmailAddresses } from './0012-email.js'
import { JobRunners } from './0013-job-runners.js'
import { ThreadService } from './0014-thread-service.js'
import { DelayedOfCreate } from './0015-delayed-of-create.js'

/** In order; a name never changes once released. */
export const migrations = [
  { name: '0001-initial-schema', class: InitialSchema },
  { name: '0002-shared-resources', class: SharedResources },
  { name: '0003-search', class: Search },
  { name: '0004-webhooks', class: Webhooks },
  { name: '0005-form-results', class: FormResults },
  { name: '0006-merge-suggestions', class: MergeSuggestions },
  { name: '0007-touchpoints', class: Touchpoints },
  { name: '0008-list-orders', class: ListOrders },
  { name: '0009-provider-deliveries', class: ProviderDeliveries },
  { name: '0010-event-gate', class: EventGate },
  { name: '0011-job-lanes', class: JobLanes },
  { name: '0012-email', class: EmailAddresses },
  { name: '0013-job-runners', class: JobRunners },
  { name: '0014-thread-service', class: ThreadService },
  { name: '0015-delayed-of-create', class: DelayedOfCreate },
]
