import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const RuleEventType = graphqlEnum('RuleEventType', "Action of a workflow's rule (section 6).", {
  NOTIFY: ['notify', 'Notifies the channels and users of `params` of the conversation.'],
})
export type RuleEventType = (typeof RuleEventType)[keyof typeof RuleEventType]
