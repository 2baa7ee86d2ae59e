import { TOUCHPOINT_EDIT, TOUCHPOINT_REMOVE } from '../conversations/delivery/amend.js'
import { TOUCHPOINT_DELIVER } from '../conversations/delivery/deliver.js'
import type { Module } from '../../platform/module.js'
import type { ReplyWindow, ServiceKind } from '../services/service-kinds.js'
import { editJob, removeJob } from './amend-job.js'
import { checkServiceJob, keepChecking } from './check-job.js'
import { createDeliverer, giveUpDelivery } from './deliver-job.js'
import { DeliveryLog } from './delivery-log.js'
import { failingServices } from './failing-services.js'
import { addInboundRoutes } from './inbound-routes.js'
import { InboundMessageReceiver, pruneInbound } from './inbound-message-receiver.js'
import { installEmail } from './email/install-email.js'
import { openMailParts } from './email/mail-parts.js'
import { openMailSenders } from './email/mail-senders-module.js'
import { installInstagram } from './instagram/instagram.js'
import { installMailbox } from './mailbox/mailbox.js'
import { installMessenger } from './messenger/messenger.js'
import { installSms } from './sms/sms.js'
import { installTelegram } from './telegram/telegram.js'
import { installWhatsapp } from './whatsapp/whatsapp.js'
import { SERVICE_CHECK } from '../services/service-check.js'
import { ServiceHealthResolver } from './service-health.js'
import { showTyping } from './show-typing.js'
import { refreshTemplates, templateSyncJob } from './template-sync-job.js'
import { TEMPLATE_SYNC } from '../services/template-sync.js'
import { ConversationSignatureResolver } from './email/signature-resolver.js'
import { RoutesResolver } from './routes-resolver.js'
import { installWeb } from './web/web.js'
import type { Install, InstalledTouchpoint, TouchpointsDependencies } from './install.js'

/** By service type. A new touchpoint is added here. */
const INSTALLED: Readonly<Record<string, Install>> = {
  web: installWeb,
  email: installEmail,
  mailbox: installMailbox,
  sms: installSms,
  messenger: installMessenger,
  whatsapp: installWhatsapp,
  telegram: installTelegram,
  instagram: installInstagram,
}

export interface TouchpointsModule extends Module {
  /** The types of services that are ways to the consumer. */
  kinds: [type: string, kind: ServiceKind][]
}

/**
 * Builds the touchpoints and registers the delivery job.
 * @param others replaces the installed touchpoints
 */
export async function openTouchpointsModule(
  dependencies: TouchpointsDependencies,
  others: Readonly<Record<string, Install>> = {},
): Promise<TouchpointsModule> {
  const {
    attachments,
    clock,
    config,
    database,
    jobs,
    log,
    metrics,
    router,
    sealer,
    systemContext,
    transact,
    typing,
    writer,
  } = dependencies
  const deliveries = new DeliveryLog({ database, writer, systemContext })
  const kinds = new Map<string, ServiceKind>()
  const windows = new Map<string, ReplyWindow>()
  const inbox = new InboundMessageReceiver({
    database,
    clock,
    log,
    attachments,
    systemContext,
    writer,
    router,
    windows,
  })
  const mail = await openMailParts({ ...dependencies, inbox, deliveries })
  const parts = { ...dependencies, inbox, deliveries, mail }
  const installed: [string, InstalledTouchpoint][] = []
  for (const [type, install] of Object.entries({ ...INSTALLED, ...others })) {
    const touchpoint = await install(parts)
    if (touchpoint.kind) kinds.set(type, touchpoint.kind)
    if (touchpoint.kind?.window) windows.set(type, touchpoint.kind.window)
    installed.push([type, touchpoint])
  }
  const mailSenders = await openMailSenders(dependencies)
  const touchpoints = installed.map(([, touchpoint]) => touchpoint)
  const adapters = touchpoints.flatMap(({ adapter }) => adapter ?? [])
  const routes = touchpoints.flatMap(({ routes }) => routes ?? [])
  const { publicUrl } = config
  const { links } = attachments
  const delivering = { sql: database, sealer, clock, log, deliveries, links, adapters, systemContext, transact }
  jobs.register(TOUCHPOINT_EDIT, editJob(delivering))
  jobs.register(TOUCHPOINT_REMOVE, removeJob(delivering))
  jobs.register(TOUCHPOINT_DELIVER, {
    handler: createDeliverer(delivering),
    isOutbound: true,
    // Provider failures end by a time limit; this handles failures on our side.
    givenUp: (job, error) => giveUpDelivery(deliveries, job.payload.delivery, error),
  })
  const failing = failingServices({ sql: database, clock, log, metrics })
  const checks = { ...delivering, metrics, kinds, everyMs: config.serviceCheckMinutes * 60_000 }
  jobs.register(SERVICE_CHECK, checkServiceJob(checks))
  typing.onTyping(showTyping(delivering))
  jobs.register(TEMPLATE_SYNC, templateSyncJob({ sql: database, sealer, clock, log, kinds }))
  return {
    resolvers: [
      mailSenders,
      new RoutesResolver(kinds),
      new ConversationSignatureResolver(),
      new ServiceHealthResolver(),
      ...touchpoints.flatMap(({ resolvers }) => resolvers ?? []),
    ],
    kinds: [...kinds],
    maintenance: [
      { name: 'inbound messages', run: pruneInbound },
      refreshTemplates({ clock, kinds }),
      keepChecking(checks),
      ...touchpoints.flatMap(({ maintenance }) => maintenance ?? []),
    ],
    addRoutes: ({ fastify, bodies, refusals }) =>
      addInboundRoutes(fastify, { database, sealer, bodies, refusals, log, routes, publicUrl }),
    async start() {
      for (const { start } of touchpoints) await start?.()
      await failing.start?.()
    },
    async stop() {
      await failing.stop?.()
      for (const { stop } of touchpoints) await stop?.()
      await mail.close()
    },
  }
}
