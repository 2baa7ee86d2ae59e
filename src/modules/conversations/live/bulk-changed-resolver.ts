import { Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { BulkRun, bulkRunLoader } from '../api/bulk-resolver.js'
import type { BulkRunRow } from '../bulk/bulk-run.js'
import { BulkChanged } from './inbox-events.js'

@Resolver(() => BulkChanged)
export class BulkChangedResolver {
  @FieldResolver(() => ID, { description: 'Id of the bulk run, which its caller chose.' })
  runId(@Root() { run }: BulkChanged): string {
    return run
  }

  @FieldResolver(() => BulkRun, { nullable: true, description: 'The run as it is now; null if it is no longer kept.' })
  run(@Root() { run }: BulkChanged, @Ctx() ctx: Context): Promise<BulkRunRow | null> {
    return ctx.loader(bulkRunLoader).load(run)
  }
}
