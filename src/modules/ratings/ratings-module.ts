import type { SurveyLinks } from '../conversations/surveys/survey-links.js'
import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import type { Context } from '../../platform/context.js'
import type { Module } from '../../platform/module.js'
import { addRatingRoutes } from './rating-routes.js'
import { MessageRatingResolver, RatingsResolver } from './ratings-resolver.js'

export interface RatingsDependencies {
  writer: ConversationWriter
  surveyLinks: SurveyLinks
  systemContext: (requestId: string) => Context
}

/** Builds the list of ratings, and what answers them. */
export function openRatingsModule({ writer, surveyLinks: links, systemContext }: RatingsDependencies): Module {
  return {
    resolvers: [new RatingsResolver(writer), new MessageRatingResolver()],
    addRoutes: (http) => addRatingRoutes(http, { writer, links, systemContext }),
  }
}
