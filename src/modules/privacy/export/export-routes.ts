import type { FastifyReply, FastifyRequest } from 'fastify'
import { isAllowed } from '../../../platform/access/permissions.js'
import { SCOPES } from '../../../platform/access/scopes.js'
import { addAuditEntries } from '../../../platform/audit/audit-entry.js'
import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import type { Database } from '../../../platform/db/database.js'
import { isWithin, type TenantColumns } from '../../../platform/db/tenancy.js'
import { Forbidden, NotFound, quoteValue } from '../../../platform/errors.js'
import type { HttpParts } from '../../../platform/module.js'
import type { AttachmentStore } from '../../attachments/attachment-store.js'
import { ZIP } from '../../attachments/content-type.js'
import { contentDisposition } from '../../attachments/file-name.js'
import { callerOfUser } from '../../auth/caller-of-user.js'
import type { ExportLinks } from './export-links.js'

interface ExportRoutesOptions {
  database: Database
  store: AttachmentStore
  links: ExportLinks
}

/** Adds the download of exports, since GraphQL does not transfer bytes. A link needs no credentials: it names whose it is. */
export function addExportRoutes(http: HttpParts, options: ExportRoutesOptions): void {
  http.fastify.get('/v2/exports/:id/file', { exposeHeadRoute: false }, async (request, reply) => {
    await http.countRequest(reply, 'address', request.ip)
    return download(options, await http.contextFor(request, undefined), request, reply)
  })
}

interface Found extends TenantColumns {
  contact: string
  size: number
}

async function download(
  { database, store, links }: ExportRoutesOptions,
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id } = request.params as { id: string }
  const user = links.check(id, request.query as Record<string, unknown>)
  const found = isId(id) ? await findReady(database, id, ctx.now()) : null
  const given = isId(user) ? await callerOfUser(database, user, SCOPES) : null
  const isCenterInUse = given?.isCenterInUse ?? true
  if (!found || !isCenterInUse) throw new NotFound(`ContactExport ${quoteValue(id)} not found`)
  if (!given || !isAllowed(given.caller, 'contactExport.fetch') || !isWithin(given.caller, found)) {
    throw new Forbidden('the user to whom the link was given may not export this contact any more', {
      reason: 'LINK_INVALID',
    })
  }
  // First: what is not there was not given to anybody.
  const content = await store.read(id, found.size).catch((error: unknown) => {
    // It ends at this moment.
    if ((error as { code?: unknown }).code === 'ENOENT') throw new NotFound(`ContactExport ${quoteValue(id)} not found`)
    throw error
  })
  await addAuditEntries(database, ctx, [
    {
      action: 'downloadContactExport',
      object: { type: 'contactExport', id },
      organization: found.organizationId,
      user,
      details: { contact: found.contact },
    },
  ])
  return reply
    .headers({
      'cache-control': 'private, no-store',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': contentDisposition(`contact-${found.contact}.zip`, ZIP),
      'content-length': found.size,
    })
    .type(ZIP)
    .send(content)
}

async function findReady(database: Database, id: string, now: Date): Promise<Found | null> {
  const [found] = await database.query<Found>(
    `select t.contact_id as contact, t.size, t.organization_id as "organizationId", t.org1, t.org2, t.org3
     from contact_export t join contact c on c.id = t.contact_id
     where t.id = $1 and t.status = 'ready' and t.expires_at > $2 and c.erasing_at is null`,
    [id, now],
    'export-of-link',
  )
  return found ?? null
}
