import type { Route } from '../route.js'
import { articleRoutes } from './articles.js'
import { attachmentRoutes } from './attachments.js'
import { auditRoutes } from './audit.js'
import { authRoutes } from './auth.js'
import { bulkRoutes } from './bulk.js'
import { channelRoutes } from './channels.js'
import { contactRoutes } from './contacts.js'
import { conversationRoutes } from './conversations.js'
import { exportRoutes } from './exports.js'
import { erasureRoutes } from './erasures.js'
import { eventRoutes } from './events.js'
import { signInPolicyRoutes } from './sign-in-policy.js'
import { domainRoutes } from './domains.js'
import { fileRoutes } from './files.js'
import { formRoutes } from './forms.js'
import { proposalRoutes } from './proposals.js'
import { ratingRoutes } from './ratings.js'
import { holdRoutes } from './holds.js'
import { labelRoutes } from './labels.js'
import { locationRoutes } from './locations.js'
import { macroRoutes } from './macros.js'
import { viewRoutes } from './views.js'
import { messageRoutes } from './messages.js'
import { organizationGroupRoutes, organizationRoutes } from './organizations.js'
import { reportRoutes } from './reports.js'
import { fourEyesRoutes } from './four-eyes.js'
import { retentionRoutes } from './retention.js'
import { routingRoutes } from './routing.js'
import { scheduleRoutes } from './schedules.js'
import { serviceRoutes } from './services.js'
import { staffingRoutes } from './staffing.js'
import { userRoutes } from './users.js'
import { workflowRoutes } from './workflows.js'

/** Every endpoint of `/v2`, in the order of the interface specification. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...userRoutes,
  ...organizationRoutes,
  ...organizationGroupRoutes,
  ...channelRoutes,
  ...workflowRoutes,
  ...bulkRoutes,
  ...conversationRoutes,
  ...messageRoutes,
  ...proposalRoutes,
  ...contactRoutes,
  ...erasureRoutes,
  ...exportRoutes,
  ...holdRoutes,
  ...fourEyesRoutes,
  ...retentionRoutes,
  ...serviceRoutes,
  ...eventRoutes,
  ...formRoutes,
  ...articleRoutes,
  ...fileRoutes,
  ...locationRoutes,
  ...attachmentRoutes,
  ...labelRoutes,
  ...macroRoutes,
  ...viewRoutes,
  ...ratingRoutes,
  ...staffingRoutes,
  ...scheduleRoutes,
  ...routingRoutes,
  ...domainRoutes,
  ...signInPolicyRoutes,
  ...auditRoutes,
  ...reportRoutes,
]
