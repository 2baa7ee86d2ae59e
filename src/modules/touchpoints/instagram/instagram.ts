import { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import { beginToken, forgetToken } from '../../services/service-token.js'
import { claimAccount } from '../claim-account.js'
import { graphVersionEnd } from '../graph-version.js'
import { hubEventJob, hubEventRoutes, type HubEventOptions } from '../hub-event-job.js'
import { HUMAN_WINDOW } from '../human-window.js'
import type { Install } from '../install.js'
import { ProviderPace, type PaceLimits } from '../provider-pace.js'
import { fetchPersonName } from './instagram-api.js'
import { InstagramAdapter } from './instagram-adapter.js'
import { INSTAGRAM_SETTINGS } from './settings.js'
import { parseInstagramParams, readInstagramParams } from './instagram-params.js'
import { INSTAGRAM_FORMATS } from './instagram-parts.js'
import { INSTAGRAM, INSTAGRAM_EVENT } from './instagram-platform.js'
import { createInstagramTest } from './instagram-test.js'
import { INSTAGRAM_TOKEN, keepTokens, renewTokenJob, tokenJob } from './renew-token.js'

/** The platform's limits: of an account, and of what it sends of films and sound. */
const PACE: PaceLimits = { sender: { keyPrefix: 'instagram-account', points: 300, duration: 1 } }
const FILM_PACE: PaceLimits = { sender: { keyPrefix: 'instagram-film', points: 10, duration: 1 } }
/** An administrator who sets a service up may save it several times. */
const FIRST_TOKEN_MS = 60_000

/** Installs Instagram (messages of professional accounts), a provider of the social messenger. */
export const installInstagram: Install = (parts) => {
  const {
    config,
    database: sql,
    clock,
    jobs,
    log,
    inbox,
    deliveries,
    redis,
    sealer,
    systemContext,
    transact,
    writer,
  } = parts
  const { attachmentBytesMax, webhookAllowPrivate: allowPrivate } = config
  const http = new OutboundHttp({ allowPrivate, userAgent: 'Switchboard-Instagram/1', keepAlive: false })
  const shared = { sql, sealer, clock, log, http, systemContext, transact }
  const options: HubEventOptions = {
    ...shared,
    inbox,
    deliveries,
    writer,
    attachmentBytesMax,
    fetchName: async (client, { params }, person) => fetchPersonName(client, parseInstagramParams(params), person),
    wakeJobs: () => jobs.wake(),
  }
  jobs.register(INSTAGRAM_EVENT, hubEventJob(options, INSTAGRAM))
  jobs.register(INSTAGRAM_TOKEN, renewTokenJob({ ...shared, kind: INSTAGRAM_SETTINGS }))
  return {
    adapter: new InstagramAdapter({
      sql,
      clock,
      http,
      inbox,
      pace: new ProviderPace(redis, PACE),
      filmPace: new ProviderPace(redis, FILM_PACE),
    }),
    routes: hubEventRoutes(options, INSTAGRAM),
    maintenance: [keepTokens({ clock })],
    kind: {
      touchpoint: 'messenger',
      provider: 'Instagram',
      formats: INSTAGRAM_FORMATS,
      window: HUMAN_WINDOW,
      ...INSTAGRAM_SETTINGS,
      readParams: readInstagramParams,
      written: async (ctx, tx, written) => {
        await claimAccount(sealer, tx, INSTAGRAM, written)
        const { params, before } = written
        const { id, type } = written.service
        const { accessToken } = parseInstagramParams(params)
        const earlier = before?.type === type ? before.params.accessToken : undefined
        if (accessToken === undefined) return forgetToken(tx, id)
        if (accessToken === earlier) return
        await beginToken(tx, id, ctx.now())
        tx.addJob(tokenJob(id, new Date(ctx.now().getTime() + FIRST_TOKEN_MS)))
      },
      removed: (_ctx, tx, { id }) => forgetToken(tx, id),
      test: createInstagramTest(sql, http),
      isChecked: true,
    },
    async start() {
      const end = graphVersionEnd(clock.now())
      if (end) log.warn(end)
    },
    stop: async () => http.close(),
  }
}
