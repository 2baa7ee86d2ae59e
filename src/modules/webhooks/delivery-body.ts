import type { Context } from '../../platform/context.js'
import { isAbsent } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import { formatOf } from './webhook-format.js'
import type { AttachmentLinks } from '../attachments/attachment-links.js'
import { keepBody, keepSelectedBody, newestMessageIds, type DueDelivery } from './delivery-store.js'
import { envelopeBody, selectedBody } from './envelope.js'
import { isInFormat, noticeBody } from './notices/notice-body.js'
import { noticeOf } from './notices/notice.js'
import { parseSelection } from './payload-selection.js'
import { bodyForReader } from './reader-view.js'

export interface BodyDependencies {
  publicUrl: string
  links: AttachmentLinks
}

/** A delivery with what its body is made of. */
export type BodySource = Pick<
  DueDelivery,
  | 'id'
  | 'redactions'
  | 'eventId'
  | 'eventRedactions'
  | 'event'
  | 'at'
  | 'organizationId'
  | 'conversationId'
  | 'body'
  | 'selectedBody'
  | 'context'
  | 'data'
>

/** The registration whose body is made: its owner, who sees it, and its params. */
export interface BodyReader {
  owner: string
  params: JsonObject
}

/**
 * Returns the exact bytes of a delivery: the event's body as visible to the owner, selected by `params.query` or in the
 * words of a notice. Made once: repeats have the same bytes even if the selection has changed, but not in another format,
 * which the receiver would not take. Null if the event is no longer in the log.
 * @throws RedactedMeanwhile
 */
export async function deliveryBody(
  dependencies: BodyDependencies,
  ctx: Context,
  delivery: BodySource,
  { owner, params }: BodyReader,
): Promise<string | null> {
  const whole = await wholeBodyOf(dependencies, ctx, delivery)
  if (whole === null) return null
  const format = formatOf(params)
  if (delivery.selectedBody !== null && isInFormat(delivery.selectedBody, format)) return delivery.selectedBody
  const readerBody = bodyForReader(whole, owner)
  const body =
    format === 'json'
      ? selected(readerBody, params.query)
      : noticeBody(format, noticeOf(readerBody, delivery.data, dependencies.publicUrl))
  if (body === whole && delivery.selectedBody === null) return whole
  return keepSelectedBody(ctx.database.asyncCommit, delivery, body)
}

function selected(body: string, query: unknown): string {
  return isAbsent(query) ? body : selectedBody(body, parseSelection(query, 'params.query'))
}

/** Made and stored at the first attempt, from the records as of the event's commit. */
async function wholeBodyOf(
  { publicUrl, links }: BodyDependencies,
  ctx: Context,
  delivery: BodySource,
): Promise<string | null> {
  if (delivery.body !== null) return delivery.body
  const { eventId: id, event, at, organizationId: organization, conversationId: conversation, context, data } = delivery
  if (!data) return null
  const messages = await newestMessageIds(ctx.database, context?.conversation ?? null)
  const body = envelopeBody(
    { id, event, at, organization, conversation, data, context, messages },
    { publicUrl, links },
  )
  return keepBody(ctx.database.asyncCommit, delivery, body)
}
