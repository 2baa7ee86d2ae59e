import { Extensions, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql'
import { Result } from '../forms/form-result.js'
import type { JsonObject } from '../../platform/json.js'
import { PART_OF_RECORD } from '../../platform/lists/part-of-record.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import type { MessageRow } from './message-row.js'
import { Message } from './message.js'
import type { ReportedResult } from './reported-results.js'

@Extensions(PART_OF_RECORD)
@ObjectType('ReportedResult', {
  implements: Result,
  simpleResolvers: true,
  description: 'Results that a bot reports in a message of type `TAG`, `SEARCH` or `REPORT`.',
})
export class ReportedResultObject extends Result {}

@Resolver(() => ReportedResultObject)
export class ReportedResultsResolver {
  @FieldResolver(() => JsonObjectScalar, {
    nullable: true,
    description: 'Additional keys as given; in `/v2` they appear next to the known ones.',
  })
  custom(@Root() { name: _name, values: _values, __typename, ...custom }: ReportedResult): JsonObject | null {
    return Object.keys(custom).length > 0 ? custom : null
  }
}

@Resolver(() => Message)
export class MessageResultsResolver {
  @FieldResolver(() => [Result], {
    nullable: true,
    description:
      'The submitted forms of a `RESULTS` message; what a bot reports in a `TAG`, `SEARCH` or `REPORT` message.',
  })
  results(@Root() { type, results }: MessageRow): object[] | null {
    const __typename = type === 'results' ? 'FormResult' : 'ReportedResult'
    return results?.map((result) => ({ ...result, __typename })) ?? null
  }
}
