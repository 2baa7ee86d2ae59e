import { loadConversation } from '../conversations/api/conversation.js'
import type { Context } from '../../platform/context.js'
import { fetchRecord, recordNotFound } from '../../platform/lists/fetch-record.js'
import { Rating } from './rating.js'

/** Fetches a rating; a guest's are those that its own conversation asks for. @throws NotFound */
export async function fetchRating(ctx: Context, id: string): Promise<Rating> {
  const rating = await fetchRecord(ctx, Rating, id)
  if (!ctx.seesAsConsumer) return rating
  const isOwn = rating.askedAt !== null && (await loadConversation(ctx, rating.conversationId)) !== null
  if (!isOwn) throw recordNotFound('Rating', id)
  return rating
}
